"""The structures of [MC-MQDSRP] 2.2 as one C text."""

from __future__ import annotations

MQDSRP = r"""
// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.2 SEQUENCE_NUMBER
typedef struct { char element[8]; } SEQUENCE_NUMBER;

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.3 PARTITION_SEQ_NUMBERS
// The sequence numbers of a directory partition.
struct PARTITION_SEQ_NUMBERS {
    GUID   PartitionID;                 // the directory partition
    SEQUENCE_NUMBER LastSeqNumber;      // its newest change
    SEQUENCE_NUMBER PurgedSeqNumber;    // its purged sequence number
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.4 DirectoryChange
// One change of one directory object.
struct DirectoryChange {
    uint8  Command;                     // the operation on the object
    uint8  UseGuid;                     // 0: PathName names the object, 1: GuidIdentifier does
    wchar  PathName[];                  // path name of the object, terminator not included; present if UseGuid is 0
    GUID   GuidIdentifier;              // identifier of the object; present if UseGuid is 1
    GUID   PartitionID;                 // partition that the change belongs to
    SEQUENCE_NUMBER PreviousSeqNumber;  // the change before this one in the partition
    SEQUENCE_NUMBER SeqNumber;          // this change
    SEQUENCE_NUMBER PurgedSeqNumber;    // purged sequence number of the partition
    uint8  NumberOfProperties;          // count of properties
    uint32 PropertyID[NumberOfProperties]; // identifiers of the properties
    void   PropertyValue;               // their values, each in the form that its identifier asks for
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.1 BaseReplicationHeader
// The first header of every replication message: its operation and its sender's site.
struct BaseReplicationHeader {
    uint8  Version;                     // 0x00
    GUID   SiteID;                      // site of the sending queue manager
    uint8  Operation;                   // type of the message
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.2 ChangeRequestHeader
// Identifies the queue manager that requests a change from the object authority.
struct ChangeRequestHeader {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x01
    GUID   PartitionID;                 // partition of the object
    uint32 RequestIdentifier;           // correlates reply and request, unique within the requester
    uint32 PSCNameOffset;               // WCHARs from the beginning of RequesterName to PSCName; 0: no PSCName
    wchar  RequesterName[];             // machine that asked first, terminator not included
    wchar  PSCName[];                   // primary site controller of that machine, terminator not included; only from a BSC
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.3 SyncReplyHeader
// The range of the changes in a synchronization reply.
struct SyncReplyHeader {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x03
    GUID   PartitionID;                 // partition that the reply is about
    SEQUENCE_NUMBER FromSeqNumber;      // where the synchronization starts
    SEQUENCE_NUMBER ToSeqNumber;        // where it ends
    SEQUENCE_NUMBER PurgedSeqNumber;    // purged sequence number of the partition
    uint32 Count;                       // count of changes in the message
    uint32 CompleteSync0;               // state of sync0 on the object authority
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.5.4 SeqNumberHeader
// The sequence numbers of the sender's partitions.
struct SeqNumberHeader {
    uint16 Count;                       // count of partitions
    wchar  MachineName[];               // machine that sends, terminator not included; absent if Count is 0
    PARTITION_SEQ_NUMBERS PartitionSeqNumbers[Count]; // the partitions' numbers
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.2 ChangeRequestMessage
// Requests a change of an object from the object authority (operation 0x01).
struct ChangeRequestMessage {
    ChangeRequestHeader ChangeRequestHeader; // the requester, and the partition
    DirectoryChange DirectoryChange;    // the change asked for
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.3 ChangeReplyMessage
// Reports the result of a requested change (operation 0x04).
struct ChangeReplyMessage {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x04
    uint32 RequestIdentifier;           // of the request that this answers
    uint32 Result;                      // HRESULT of the change
    wchar  RequesterName[];             // machine that asked first, terminator not included
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.4 SyncRequestMessage
// Requests the changes of a partition (operation 0x02).
struct SyncRequestMessage {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x02
    GUID   PartitionID;                 // partition to synchronize
    SEQUENCE_NUMBER FromSeqNumber;      // where to start
    SEQUENCE_NUMBER ToSeqNumber;        // where to end
    SEQUENCE_NUMBER KnownPurgedSeqNumber; // purged sequence number that the requester knows
    uint8  IsSync0;                     // 1: the partition is in the sync0 state
    uint8  Scope;                       // 1: enterprise scope only
    wchar  RequesterName[];             // machine that sends, terminator not included
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.5 SyncReplyMessage
// Carries the changes of a partition (operation 0x03).
struct SyncReplyMessage {
    SyncReplyHeader SyncReplyHeader;    // partition, range and state
    DirectoryChange DirectoryChanges[Count]; // the changes, SyncReplyHeader.Count of them
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.6 BSCAckMessage
// A backup site controller acknowledges to its primary (operation 0x07).
struct BSCAckMessage {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x07
    GUID   BSCMachineID;                // queue manager of the backup site controller
    wchar  BSCName[];                   // its machine name, terminator not included
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.7 PSCAckMessage
// A primary site controller acknowledges to the object authority (operation 0x06).
struct PSCAckMessage {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x06
    GUID   PSCSiteID;                   // site of the primary site controller
    GUID   AckedPartitionID;            // partition that is acknowledged
    SEQUENCE_NUMBER AckedSeqNumber;     // up to this change
    wchar  PSCName[];                   // machine name of the controller, terminator not included
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.8 AlreadyPurgedMessage
// Reports that the requested changes were purged (operation 0x05).
struct AlreadyPurgedMessage {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x05
    GUID   PartitionID;                 // partition that was asked for
    SEQUENCE_NUMBER PurgedSeqNumber;    // its purged sequence number
};

// ------------------------------------------------------------------ [MC-MQDSRP] 2.2.6.9 ChangePropagationMessage
// Propagates new changes to the directory's neighbors (operation 0x00).
struct ChangePropagationMessage {
    BaseReplicationHeader BaseReplicationHeader; // operation 0x00
    uint8  Flush;                       // 1: a flush message, not to be flushed on
    uint16 Count;                       // count of changes
    DirectoryChange DirectoryChanges[Count]; // the changes
    SeqNumberHeader SeqNumberHeader;    // numbers of the sender's partitions
};
"""
