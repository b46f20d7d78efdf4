"""The structures of [MS-MQMQ] and [MS-MQRR] in RPC calls, as C text with the attributes of their IDL.

1. A pointer is a unique pointer.  ``[string]`` and ``[size_is(field)]`` define its target.
2. ``[switch_is(field)]`` names the field that selects the arm of a union, ``[case(values)]`` the values that
   select this arm; a value in ``[empty(values)]`` selects no arm.
3. ``[default(field)]`` is ours: the field whose value a number has if it is omitted.
"""

from __future__ import annotations

RPC = r"""
// ------------------------------------------------------------------ [MS-MQMQ] 2.2.9 DL_ID
// A distribution list.
struct DL_ID {
    GUID   m_DlGuid;                    // the distribution list in the directory
    wchar *m_pwzDomain;                 // [string] its Active Directory domain
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.7 QUEUE_FORMAT
// A format name, as remote calls carry it.
struct QUEUE_FORMAT {
    uint8  m_qft;                       // kind of format name, see QUEUE_FORMAT_TYPE
    uint8  m_SuffixAndFlags;            // bits 0 to 3 the suffix, see QUEUE_SUFFIX_TYPE; bits 4 to 7 the flags, 0x80 for a system queue
    uint16 m_reserved;                  // zero when sent
    union {
        GUID   m_gPublicID;             // [case(1)] the public queue in the directory
        OBJECTID m_oPrivateID;          // [case(2)] the private queue
        wchar *m_pDirectID;             // [case(3)] [string] direct format name without "DIRECT="
        GUID   m_gMachineID;            // [case(4)] the queue manager
        GUID   m_GConnectorID;          // [case(5)] the connector queue
        DL_ID  m_DlID;                  // [case(6)] the distribution list
        MULTICAST_ID m_MulticastID;     // [case(7)] the multicast address
        wchar *m_pDirectSubqueueID;     // [case(8)] [string] direct format name with a subqueue, without "DIRECT="
    } _union;                           // [switch_is(m_qft)] [empty(0)] the queue; the document gives the union no name, this one is ours
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.15 BLOB
// A counted array of bytes.
struct BLOB {
    uint32 cbSize;                      // size of pBlobData in bytes
    uint8 *pBlobData;                   // [size_is(cbSize)] the bytes
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.1 CAUB
// A counted array of 8-bit numbers.
struct CAUB {
    uint32 cElems;                      // count of numbers
    uint8 *pElems;                      // [size_is(cElems)] the numbers
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.2 CAUI
// A counted array of 16-bit numbers.
struct CAUI {
    uint32 cElems;                      // count of numbers
    uint16 *pElems;                     // [size_is(cElems)] the numbers
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.3 CAL
// A counted array of signed 32-bit numbers.
struct CAL {
    uint32 cElems;                      // count of numbers
    int32 *pElems;                      // [size_is(cElems)] the numbers
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.4 CAUL
// A counted array of 32-bit numbers.
struct CAUL {
    uint32 cElems;                      // count of numbers
    uint32 *pElems;                     // [size_is(cElems)] the numbers
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.5 CAUH
// A counted array of 64-bit numbers.
struct CAUH {
    uint32 cElems;                      // count of numbers
    uint64 *pElems;                     // [size_is(cElems)] the numbers, each the QuadPart of a ULARGE_INTEGER
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.6 CACLSID
// A counted array of GUIDs.
struct CACLSID {
    uint32 cElems;                      // count of GUIDs
    GUID  *pElems;                      // [size_is(cElems)] the GUIDs
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.7 CALPWSTR
// A counted array of texts.
struct CALPWSTR {
    uint32 cElems;                      // count of texts
    wchar **pElems;                     // [size_is(cElems)] [string] the texts
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.16.8 CAPROPVARIANT
// A counted array of values of any types.
struct CAPROPVARIANT {
    uint32 cElems;                      // count of values
    void  *pElems;                      // [size_is(cElems)] [of(PROPVARIANT)] the values
};

// ------------------------------------------------------------------ [MS-MQMQ] 2.2.13.1 PROPVARIANT
// A value and its variant type, `tag_inner_PROPVARIANT` of the document.
struct PROPVARIANT {
    uint16 vt;                          // variant type, see VARTYPE
    uint8  wReserved1;                  // any value
    uint8  wReserved2;                  // any value
    uint32 wReserved3;                  // any value
    union {
        int8   cVal;                    // [case(0x10)] a number
        uint8  bVal;                    // [case(0x11)] a number
        int16  iVal;                    // [case(0x02)] a number
        uint16 uiVal;                   // [case(0x12)] a number
        int32  lVal;                    // [case(0x03)] a number
        uint32 ulVal;                   // [case(0x13)] a number
        int64  hVal;                    // [case(0x14)] a number
        uint64 uhVal;                   // [case(0x15)] a number, the QuadPart of a ULARGE_INTEGER
        uint16 boolVal;                 // [case(0x0B)] 0xFFFF for true, 0 for false
        GUID  *puuid;                   // [case(0x48)] a GUID
        BLOB   blob;                    // [case(0x41)] bytes
        wchar *pwszVal;                 // [case(0x1F)] [string] a text
        CAUB   caub;                    // [case(0x1011)] numbers
        CAUI   caui;                    // [case(0x1012)] numbers
        CAL    cal;                     // [case(0x1003)] numbers
        CAUL   caul;                    // [case(0x1013)] numbers
        CAUH   cauh;                    // [case(0x1015)] numbers
        CACLSID cauuid;                 // [case(0x1048)] GUIDs
        CALPWSTR calpwstr;              // [case(0x101F)] texts
        CAPROPVARIANT capropvar;        // [case(0x100C)] values
    } _varUnion;                        // [switch_is(vt)] [empty(0x00, 0x01)] the value, in the form that vt selects
};

// ------------------------------------------------------------------ [MS-MQRR] 2.2.6 SectionBuffer
// A message packet that a remote read returned, or one of its two sections.
struct SectionBuffer {
    SectionType SectionBufferType;      // whether this is the whole packet, or which section
    uint32 SectionSizeAlloc;            // [default(SectionSize)] size of the section with the whole body, in bytes; at least SectionSize
    uint32 SectionSize;                 // size of pSectionBuffer in bytes
    uint8 *pSectionBuffer;              // [size_is(SectionSize)] the section
};
"""
