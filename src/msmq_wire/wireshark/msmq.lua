-- Message Queuing (MSMQ) for Wireshark 4.0 and later, Lua 5.2 to 5.4.
--
-- Generated from the definitions of msmq_wire by `python -m msmq_wire.compiler`; do not edit.
-- MIT License, Copyright (c) The msmq_wire authors.
--
-- Fields are named `msmq.<structure>.<field>[.<bits>]`, in lower case, as on the pages of [MS-MQMQ],
-- [MS-MQRR], [MS-MQQB], [MC-MQDSRP] and [MS-MQCN]. Beside them are readings such as `msmq.destination`.

-- ---------------------------------------------------------------------------------------------- tables

local DECLARED, STRUCTURES, PROPERTIES, VARTYPES = {}, {}, {}, {}

local function declare(abbr, kind, name, more)
  more.abbr, more.kind, more.name = abbr, kind, name
  DECLARED[#DECLARED + 1] = more
end

local function structure(head, groups, fields, rules)
  head.groups, head.fields, head.rules, head.names = groups, fields, rules, {}
  for _, field in ipairs(fields) do
    head.names[field.n] = field
    head.packs = head.packs or (field.len ~= nil and field.len.packed ~= nil)
  end
  STRUCTURES[head.name] = head
  STRUCTURES[#STRUCTURES + 1] = head
end

local VECTOR = 0x1000

local function vartype_name(number)
  if number < VECTOR then return VARTYPES[number] and VARTYPES[number].n or string.format("0x%x", number) end
  return "VT_VECTOR | " .. vartype_name(number - VECTOR)
end

declare("msmq.property.count", "uint32", "Count", {doc = "elements or bytes", base = "DEC"})
declare("msmq.property.vartype", "uint16", "VARTYPE", {doc = "[MS-MQMQ] 2.2.12", base = "HEX", names = {[0] = "VT_EMPTY", [1] = "VT_NULL", [2] = "VT_I2", [3] = "VT_I4", [8] = "VT_BSTR", [11] = "VT_BOOL", [12] = "VT_VARIANT", [16] = "VT_I1", [17] = "VT_UI1", [18] = "VT_UI2", [19] = "VT_UI4", [20] = "VT_I8", [21] = "VT_UI8", [31] = "VT_LPWSTR", [65] = "VT_BLOB", [72] = "VT_CLSID"}})
declare("msmq.property.vt_vector_ui1", "bytes", "Bytes", {})
declare("msmq.property.vt_i2", "int16", "VT_I2", {base = "DEC"})
declare("msmq.property.vt_i4", "int32", "VT_I4", {base = "DEC"})
declare("msmq.property.vt_bstr", "string", "VT_BSTR", {})
declare("msmq.property.vt_bool", "uint16", "VT_BOOL", {base = "DEC"})
declare("msmq.property.vt_i1", "int8", "VT_I1", {base = "DEC"})
declare("msmq.property.vt_ui1", "uint8", "VT_UI1", {base = "DEC"})
declare("msmq.property.vt_ui2", "uint16", "VT_UI2", {base = "DEC"})
declare("msmq.property.vt_ui4", "uint32", "VT_UI4", {base = "DEC"})
declare("msmq.property.vt_i8", "int64", "VT_I8", {base = "DEC"})
declare("msmq.property.vt_ui8", "uint64", "VT_UI8", {base = "DEC"})
declare("msmq.property.vt_lpwstr", "string", "VT_LPWSTR", {})
declare("msmq.property.vt_blob", "bytes", "VT_BLOB", {})
declare("msmq.property.vt_clsid", "guid", "VT_CLSID", {})
VARTYPES = {[0] = {n = "VT_EMPTY", p = "msmq.property.vt_empty", form = "nothing"}, [1] = {n = "VT_NULL", p = "msmq.property.vt_null", form = "nothing"}, [2] = {n = "VT_I2", p = "msmq.property.vt_i2", form = "number", z = 2, signed = true, least = 2}, [3] = {n = "VT_I4", p = "msmq.property.vt_i4", form = "number", z = 4, signed = true, least = 4}, [8] = {n = "VT_BSTR", p = "msmq.property.vt_bstr", form = "text", least = 2}, [11] = {n = "VT_BOOL", p = "msmq.property.vt_bool", form = "number", z = 2, signed = false, least = 2}, [12] = {n = "VT_VARIANT", form = "variant", least = 2}, [16] = {n = "VT_I1", p = "msmq.property.vt_i1", form = "number", z = 1, signed = true, least = 1}, [17] = {n = "VT_UI1", p = "msmq.property.vt_ui1", form = "number", z = 1, signed = false, least = 1}, [18] = {n = "VT_UI2", p = "msmq.property.vt_ui2", form = "number", z = 2, signed = false, least = 2}, [19] = {n = "VT_UI4", p = "msmq.property.vt_ui4", form = "number", z = 4, signed = false, least = 4}, [20] = {n = "VT_I8", p = "msmq.property.vt_i8", form = "number", z = 8, signed = true, least = 8}, [21] = {n = "VT_UI8", p = "msmq.property.vt_ui8", form = "number", z = 8, signed = false, least = 8}, [31] = {n = "VT_LPWSTR", p = "msmq.property.vt_lpwstr", form = "text", least = 2}, [65] = {n = "VT_BLOB", p = "msmq.property.vt_blob", form = "blob", least = 4}, [72] = {n = "VT_CLSID", p = "msmq.property.vt_clsid", form = "guid", least = 16}}
local BYTE = 17
PROPERTIES[101] = {"PROPID_Q_INSTANCE", 72}
PROPERTIES[102] = {"PROPID_Q_TYPE", 72}
PROPERTIES[103] = {"PROPID_Q_PATHNAME", 31}
PROPERTIES[104] = {"PROPID_Q_JOURNAL", 17}
PROPERTIES[105] = {"PROPID_Q_QUOTA", 19}
PROPERTIES[106] = {"PROPID_Q_BASEPRIORITY", 2}
PROPERTIES[107] = {"PROPID_Q_JOURNAL_QUOTA", 19}
PROPERTIES[108] = {"PROPID_Q_LABEL", 31}
PROPERTIES[109] = {"PROPID_Q_CREATE_TIME", 3}
PROPERTIES[110] = {"PROPID_Q_MODIFY_TIME", 3}
PROPERTIES[111] = {"PROPID_Q_AUTHENTICATE", 17}
PROPERTIES[112] = {"PROPID_Q_PRIV_LEVEL", 19}
PROPERTIES[113] = {"PROPID_Q_TRANSACTION", 17}
PROPERTIES[114] = {"PROPID_Q_SCOPE", 17}
PROPERTIES[115] = {"PROPID_Q_QMID", 72}
PROPERTIES[116] = {"PROPID_Q_PARTITIONID", 72}
PROPERTIES[117] = {"PROPID_Q_SEQNUM", 65}
PROPERTIES[118] = {"PROPID_Q_HASHKEY", 19}
PROPERTIES[119] = {"PROPID_Q_LABEL_HASHKEY", 19}
PROPERTIES[121] = {"PROPID_Q_FULL_PATH", 31}
PROPERTIES[123] = {"PROPID_Q_NAME_SUFFIX", 31}
PROPERTIES[124] = {"PROPID_Q_PATHNAME_DNS", 31}
PROPERTIES[125] = {"PROPID_Q_MULTICAST_ADDRESS", 31}
PROPERTIES[126] = {"PROPID_Q_ADS_PATH", 31}
PROPERTIES[1101] = {"PROPID_Q_SECURITY", 65}
PROPERTIES[1102] = {"PROPID_Q_OBJ_SECURITY", 65}
PROPERTIES[1103] = {"PROPID_Q_SECURITY_INFORMATION", 19}
PROPERTIES[201] = {"PROPID_QM_SITE_ID", 72}
PROPERTIES[202] = {"PROPID_QM_MACHINE_ID", 72}
PROPERTIES[203] = {"PROPID_QM_PATHNAME", 31}
PROPERTIES[205] = {"PROPID_QM_ENCRYPTION_PK", 4113}
PROPERTIES[206] = {"PROPID_QM_ADDRESS", 65}
PROPERTIES[207] = {"PROPID_QM_CNS", 4168}
PROPERTIES[208] = {"PROPID_QM_OUTFRS", 4168}
PROPERTIES[209] = {"PROPID_QM_INFRS", 4168}
PROPERTIES[210] = {"PROPID_QM_SERVICE", 19}
PROPERTIES[214] = {"PROPID_QM_QUOTA", 19}
PROPERTIES[211] = {"PROPID_QM_PARTITIONID", 72}
PROPERTIES[212] = {"PROPID_QM_HASHKEY", 19}
PROPERTIES[213] = {"PROPID_QM_SEQNUM", 65}
PROPERTIES[215] = {"PROPID_QM_JOURNAL_QUOTA", 19}
PROPERTIES[216] = {"PROPID_QM_MACHINE_TYPE", 31}
PROPERTIES[217] = {"PROPID_QM_CREATE_TIME", 3}
PROPERTIES[218] = {"PROPID_QM_MODIFY_TIME", 3}
PROPERTIES[219] = {"PROPID_QM_FOREIGN", 17}
PROPERTIES[220] = {"PROPID_QM_OS", 19}
PROPERTIES[221] = {"PROPID_QM_FULL_PATH", 31}
PROPERTIES[222] = {"PROPID_QM_SITE_IDS", 4168}
PROPERTIES[223] = {"PROPID_QM_OUTFRS_DN", 4127}
PROPERTIES[224] = {"PROPID_QM_INFRS_DN", 4127}
PROPERTIES[227] = {"PROPID_QM_SERVICE_ROUTING", 17}
PROPERTIES[228] = {"PROPID_QM_SERVICE_DSSERVER", 17}
PROPERTIES[229] = {"PROPID_QM_SERVICE_DEPCLIENTS", 17}
PROPERTIES[231] = {"PROPID_QM_ENCRYPTION_PK_BASE", 4113}
PROPERTIES[232] = {"PROPID_QM_ENCRYPTION_PK_ENHANCED", 4113}
PROPERTIES[233] = {"PROPID_QM_PATHNAME_DNS", 31}
PROPERTIES[234] = {"PROPID_QM_OBJ_SECURITY", 65}
PROPERTIES[237] = {"PROPID_QM_SECURITY_INFORMATION", 19}
PROPERTIES[238] = {"PROPID_QM_ENCRYPT_PKS", 65}
PROPERTIES[239] = {"PROPID_QM_SIGN_PKS", 65}
PROPERTIES[241] = {"PROPID_QM_OWNER_SID", 65}
PROPERTIES[242] = {"PROPID_QM_GROUP_IN_CLUSTER", 17}
PROPERTIES[1201] = {"PROPID_QM_SECURITY", 65}
PROPERTIES[1202] = {"PROPID_QM_SIGN_PK", 65}
PROPERTIES[1203] = {"PROPID_QM_ENCRYPT_PK", 65}
PROPERTIES[1205] = {"PROPID_QM_UPGRADE_DACL", 65}
PROPERTIES[301] = {"PROPID_S_PATHNAME", 31}
PROPERTIES[302] = {"PROPID_S_SITEID", 72}
PROPERTIES[303] = {"PROPID_S_GATES", 4168}
PROPERTIES[304] = {"PROPID_S_PSC", 31}
PROPERTIES[305] = {"PROPID_S_INTERVAL1", 18}
PROPERTIES[306] = {"PROPID_S_INTERVAL2", 18}
PROPERTIES[307] = {"PROPID_S_PARTITIONID", 72}
PROPERTIES[308] = {"PROPID_S_SEQNUM", 65}
PROPERTIES[309] = {"PROPID_S_FULL_NAME", 31}
PROPERTIES[310] = {"PROPID_S_NT4_STUB", 18}
PROPERTIES[311] = {"PROPID_S_FOREIGN", 17}
PROPERTIES[312] = {"PROPID_S_DONOTHING", 17}
PROPERTIES[1301] = {"PROPID_S_SECURITY", 65}
PROPERTIES[1302] = {"PROPID_S_PSC_SIGNPK", 65}
PROPERTIES[1303] = {"PROPID_S_SECURITY_INFORMATION", 19}
PROPERTIES[501] = {"PROPID_CN_PROTOCOLID", 17}
PROPERTIES[502] = {"PROPID_CN_NAME", 31}
PROPERTIES[503] = {"PROPID_CN_GUID", 72}
PROPERTIES[504] = {"PROPID_CN_PARTITIONID", 72}
PROPERTIES[505] = {"PROPID_CN_SEQNUM", 65}
PROPERTIES[1501] = {"PROPID_CN_SECURITY", 65}
PROPERTIES[601] = {"PROPID_E_NAME", 31}
PROPERTIES[602] = {"PROPID_E_NAMESTYLE", 17}
PROPERTIES[603] = {"PROPID_E_CSP_NAME", 31}
PROPERTIES[604] = {"PROPID_E_PECNAME", 31}
PROPERTIES[605] = {"PROPID_E_S_INTERVAL1", 18}
PROPERTIES[606] = {"PROPID_E_S_INTERVAL2", 18}
PROPERTIES[607] = {"PROPID_E_PARTITIONID", 72}
PROPERTIES[608] = {"PROPID_E_SEQNUM", 65}
PROPERTIES[609] = {"PROPID_E_ID", 72}
PROPERTIES[610] = {"PROPID_E_CRL", 65}
PROPERTIES[611] = {"PROPID_E_CSP_TYPE", 19}
PROPERTIES[612] = {"PROPID_E_ENCRYPT_ALG", 19}
PROPERTIES[613] = {"PROPID_E_SIGN_ALG", 19}
PROPERTIES[614] = {"PROPID_E_HASH_ALG", 19}
PROPERTIES[616] = {"PROPID_E_LONG_LIVE", 19}
PROPERTIES[617] = {"PROPID_E_VERSION", 18}
PROPERTIES[1601] = {"PROPID_E_SECURITY", 65}
PROPERTIES[615] = {"PROPID_E_CIPHER_MODE", 19}
PROPERTIES[701] = {"PROPID_U_SID", 65}
PROPERTIES[703] = {"PROPID_U_PARTITIONID", 72}
PROPERTIES[704] = {"PROPID_U_SEQNUM", 65}
PROPERTIES[702] = {"PROPID_U_SIGN_CERT", 65}
PROPERTIES[705] = {"PROPID_U_DIGEST", 4168}
PROPERTIES[706] = {"PROPID_U_ID", 72}
PROPERTIES[801] = {"PROPID_L_NEIGHBOR1", 72}
PROPERTIES[802] = {"PROPID_L_NEIGHBOR2", 72}
PROPERTIES[803] = {"PROPID_L_COST", 19}
PROPERTIES[804] = {"PROPID_L_PARTITIONID", 72}
PROPERTIES[805] = {"PROPID_L_SEQNUM", 65}
PROPERTIES[806] = {"PROPID_L_ID", 72}
PROPERTIES[807] = {"PROPID_L_GATES_DN", 4127}
PROPERTIES[808] = {"PROPID_L_NEIGHBOR1_DN", 31}
PROPERTIES[809] = {"PROPID_L_NEIGHBOR2_DN", 31}
PROPERTIES[810] = {"PROPID_L_DESCRIPTION", 31}
PROPERTIES[811] = {"PROPID_L_FULL_PATH", 31}
PROPERTIES[812] = {"PROPID_L_ACTUAL_COST", 19}
PROPERTIES[813] = {"PROPID_L_GATES", 4168}
PROPERTIES[5101] = {"PROPID_SET_NAME", 31}
PROPERTIES[5102] = {"PROPID_SET_SERVICE", 19}
PROPERTIES[5103] = {"PROPID_SET_QM_ID", 72}
PROPERTIES[5105] = {"PROPID_SET_FULL_PATH", 31}
PROPERTIES[5106] = {"PROPID_SET_NT4", 17}
PROPERTIES[5107] = {"PROPID_SET_PARTITIONID", 72}
PROPERTIES[5108] = {"PROPID_SET_SITENAME", 31}
PROPERTIES[5109] = {"PROPID_SET_SERVICE_ROUTING", 17}
PROPERTIES[5110] = {"PROPID_SET_SERVICE_DSSERVER", 17}
PROPERTIES[5111] = {"PROPID_SET_SERVICE_DEPCLIENTS", 17}
PROPERTIES[5112] = {"PROPID_SET_OLDSERVICE", 19}
PROPERTIES[5401] = {"PROPID_MQU_SID", 65}
PROPERTIES[5402] = {"PROPID_MQU_SIGN_CERT", 65}
PROPERTIES[5405] = {"PROPID_MQU_DIGEST", 4168}
PROPERTIES[5406] = {"PROPID_MQU_ID", 72}
PROPERTIES[5407] = {"PROPID_MQU_SECURITY", 65}
PROPERTIES[5201] = {"PROPID_COM_FULL_PATH", 31}
PROPERTIES[5202] = {"PROPID_COM_SAM_ACCOUNT", 31}
PROPERTIES[5204] = {"PROPID_COM_ACCOUNT_CONTROL", 19}
PROPERTIES[5205] = {"PROPID_COM_DNS_HOSTNAME", 31}
PROPERTIES[5206] = {"PROPID_COM_SID", 65}
PROPERTIES[5207] = {"PROPID_COM_SIGN_CERT", 65}
PROPERTIES[5208] = {"PROPID_COM_DIGEST", 4168}
PROPERTIES[5209] = {"PROPID_COM_ID", 72}
PROPERTIES[1401] = {"PROPID_D_SEQNUM", 65}
PROPERTIES[1402] = {"PROPID_D_PARTITIONID", 72}
PROPERTIES[1403] = {"PROPID_D_SCOPE", 17}
PROPERTIES[1404] = {"PROPID_D_OBJTYPE", 17}
PROPERTIES[1405] = {"PROPID_D_IDENTIFIER", 72}

declare("msmq.mqdspublickey", "none", "MQDSPUBLICKEY", {doc = "[MS-MQMQ] 2.2.1 A public key of a queue manager, with the provider that made it."})
declare("msmq.mqdspublickey.ulkeylen", "uint32", "ulKeyLen", {doc = "size of aBuf in bytes", base = "DEC"})
declare("msmq.mqdspublickey.ulproviderlen", "uint32", "ulProviderLen", {doc = "size of sProviderName in bytes, terminator included", base = "DEC"})
declare("msmq.mqdspublickey.ulprovidertype", "uint32", "ulProviderType", {doc = "provider type code", base = "HEX", names = {[1] = "PROV_RSA_FULL", [24] = "PROV_RSA_AES"}})
declare("msmq.mqdspublickey.sprovidername", "string", "sProviderName", {doc = "provider name, terminator included"})
declare("msmq.mqdspublickey.abuf", "bytes", "aBuf", {doc = "BLOBHEADER, RSAPUBKEY and modulus; see PUBLICKEYBLOB"})
structure({name = "MQDSPUBLICKEY", section = "[MS-MQMQ] 2.2.1", least = 12}, {}, {
  {n = "ulKeyLen", p = "msmq.mqdspublickey.ulkeylen", k = "u", z = 4},
  {n = "ulProviderLen", p = "msmq.mqdspublickey.ulproviderlen", k = "u", z = 4},
  {n = "ulProviderType", p = "msmq.mqdspublickey.ulprovidertype", k = "u", z = 4},
  {n = "sProviderName", p = "msmq.mqdspublickey.sprovidername", k = "text", len = {k = "counted", path = {"ulProviderLen"}, per = 2}},
  {n = "aBuf", p = "msmq.mqdspublickey.abuf", k = "bytes", len = {k = "counted", path = {"ulKeyLen"}, per = 1}, inside = {s = "PUBLICKEYBLOB", begins = "\006\002"}},
}, {
  {path = {"ulProviderType"}, op = "in", value = {[1] = true, [24] = true}, id = "MQMQ-2.2.1-04", level = "must", words = "one of 1, 0x18"},
})

declare("msmq.mqdspublickeys", "none", "MQDSPUBLICKEYS", {doc = "[MS-MQMQ] 2.2.2 Several public keys of a queue manager, as the directory keeps them."})
declare("msmq.mqdspublickeys.ullen", "uint32", "ulLen", {doc = "size of the whole structure in bytes", base = "DEC"})
declare("msmq.mqdspublickeys.cnumofkeys", "uint32", "cNumofKeys", {doc = "count of keys", base = "DEC"})
declare("msmq.mqdspublickeys.apublickeys", "none", "aPublicKeys", {doc = "the keys"})
structure({name = "MQDSPUBLICKEYS", section = "[MS-MQMQ] 2.2.2", least = 8, extent = {path = {"ulLen"}, multiple = 1}}, {}, {
  {n = "ulLen", p = "msmq.mqdspublickeys.ullen", k = "u", z = 4},
  {n = "cNumofKeys", p = "msmq.mqdspublickeys.cnumofkeys", k = "u", z = 4},
  {n = "aPublicKeys", p = "msmq.mqdspublickeys.apublickeys", k = "items", s = "MQDSPUBLICKEY", count = {"cNumofKeys"}},
})

declare("msmq.ta_address", "none", "TA_ADDRESS", {doc = "[MS-MQMQ] 2.2.4 A transport address of one kind."})
declare("msmq.ta_address.addresslength", "uint16", "AddressLength", {doc = "size of Address in bytes: 4 IP, 10 IPX, 16 foreign", base = "DEC"})
declare("msmq.ta_address.addresstype", "uint16", "AddressType", {doc = "kind of address", base = "HEX", names = {[1] = "IP_ADDRESS_TYPE", [2] = "IP_RAS_ADDRESS_TYPE", [3] = "IPX_ADDRESS_TYPE", [5] = "FOREIGN_ADDRESS_TYPE", [6] = "IPV6_ADDRESS_TYPE"}})
declare("msmq.ta_address.address", "bytes", "Address", {doc = "the address"})
structure({name = "TA_ADDRESS", section = "[MS-MQMQ] 2.2.4", least = 4}, {}, {
  {n = "AddressLength", p = "msmq.ta_address.addresslength", k = "u", z = 2},
  {n = "AddressType", p = "msmq.ta_address.addresstype", k = "u", z = 2},
  {n = "Address", p = "msmq.ta_address.address", k = "bytes", len = {k = "counted", path = {"AddressLength"}, per = 1}},
}, {
  {path = {"AddressLength"}, op = "==", value = 4, id = "MQMQ-2.2.4-02", level = "must", words = "4 for IP, 10 for IPX and 16 for foreign addresses", when = {{path = {"AddressType"}, op = "==", value = 1}}},
  {path = {"AddressLength"}, op = "==", value = 4, id = "MQMQ-2.2.4-02", level = "must", words = "4 for IP, 10 for IPX and 16 for foreign addresses", when = {{path = {"AddressType"}, op = "==", value = 2}}},
  {path = {"AddressLength"}, op = "==", value = 10, id = "MQMQ-2.2.4-02", level = "must", words = "4 for IP, 10 for IPX and 16 for foreign addresses", when = {{path = {"AddressType"}, op = "==", value = 3}}},
  {path = {"AddressLength"}, op = "==", value = 16, id = "MQMQ-2.2.4-02", level = "must", words = "4 for IP, 10 for IPX and 16 for foreign addresses", when = {{path = {"AddressType"}, op = "==", value = 5}}},
  {path = {"AddressType"}, op = "in", value = {[1] = true, [2] = true, [3] = true, [5] = true}, id = "MQMQ-2.2.4-03", level = "must", words = "one of 1, 2, 3, 5"},
})

declare("msmq.ipxaddress", "none", "IPXAddress", {doc = "[MS-MQMQ] 2.2.4.2 An IPX address, the Address of a TA_ADDRESS of type IPX_ADDRESS_TYPE."})
declare("msmq.ipxaddress.netnum", "bytes", "Netnum", {doc = "IPX network"})
declare("msmq.ipxaddress.nodenum", "bytes", "nodenum", {doc = "IPX node"})
structure({name = "IPXAddress", section = "[MS-MQMQ] 2.2.4.2", least = 10, fixed = 10}, {}, {
  {n = "Netnum", p = "msmq.ipxaddress.netnum", k = "bytes", len = {k = "fixed", n = 4}},
  {n = "nodenum", p = "msmq.ipxaddress.nodenum", k = "bytes", len = {k = "fixed", n = 6}},
})

declare("msmq.sequence_info", "none", "SEQUENCE_INFO", {doc = "[MS-MQMQ] 2.2.5.1 The position of a message in its stream."})
declare("msmq.sequence_info.seqid", "int64", "SeqID", {doc = "identifier of the sequence", base = "DEC"})
declare("msmq.sequence_info.seqno", "uint32", "SeqNo", {doc = "number of the message in the sequence", base = "DEC"})
declare("msmq.sequence_info.prevno", "uint32", "PrevNo", {doc = "number of the message before it", base = "DEC"})
structure({name = "SEQUENCE_INFO", section = "[MS-MQMQ] 2.2.5.1", least = 16, fixed = 16}, {}, {
  {n = "SeqID", p = "msmq.sequence_info.seqid", k = "i", z = 8},
  {n = "SeqNo", p = "msmq.sequence_info.seqno", k = "u", z = 4},
  {n = "PrevNo", p = "msmq.sequence_info.prevno", k = "u", z = 4},
})

declare("msmq.objectid", "none", "OBJECTID", {doc = "[MS-MQMQ] 2.2.8 A private queue, or another object within a group."})
declare("msmq.objectid.lineage", "guid", "Lineage", {doc = "the group, such as the queue manager that hosts a private queue"})
declare("msmq.objectid.uniquifier", "uint32", "Uniquifier", {doc = "number of the object within its group", base = "DEC"})
structure({name = "OBJECTID", section = "[MS-MQMQ] 2.2.8", least = 20, fixed = 20}, {}, {
  {n = "Lineage", p = "msmq.objectid.lineage", k = "guid"},
  {n = "Uniquifier", p = "msmq.objectid.uniquifier", k = "u", z = 4},
})

declare("msmq.multicast_id", "none", "MULTICAST_ID", {doc = "[MS-MQMQ] 2.2.10 A multicast address and its port."})
declare("msmq.multicast_id.m_address", "uint32", "m_address", {doc = "IPv4 address, its first octet in the least significant byte", base = "DEC"})
declare("msmq.multicast_id.m_port", "uint32", "m_port", {doc = "port", base = "DEC"})
structure({name = "MULTICAST_ID", section = "[MS-MQMQ] 2.2.10", least = 8, fixed = 8}, {}, {
  {n = "m_address", p = "msmq.multicast_id.m_address", k = "u", z = 4},
  {n = "m_port", p = "msmq.multicast_id.m_port", k = "u", z = 4},
})

declare("msmq.ularge_integer", "none", "ULARGE_INTEGER", {doc = "[MS-MQMQ] 2.2.17 A number of 64 bits."})
declare("msmq.ularge_integer.quadpart", "uint64", "QuadPart", {doc = "the number", base = "DEC"})
structure({name = "ULARGE_INTEGER", section = "[MS-MQMQ] 2.2.17", least = 8, fixed = 8}, {}, {
  {n = "QuadPart", p = "msmq.ularge_integer.quadpart", k = "u", z = 8},
})

declare("msmq.txsequenceid", "none", "TxSequenceID", {doc = "[MS-MQMQ] 2.2.18.1.2 Identifier of a sequence of transactional messages."})
declare("msmq.txsequenceid.ordinal", "uint32", "Ordinal", {doc = "low-order half of the 64-bit value", base = "DEC"})
declare("msmq.txsequenceid.timestamp", "uint32", "TimeStamp", {doc = "high-order half of the 64-bit value", base = "DEC"})
structure({name = "TxSequenceID", section = "[MS-MQMQ] 2.2.18.1.2", least = 8, fixed = 8}, {}, {
  {n = "Ordinal", p = "msmq.txsequenceid.ordinal", k = "u", z = 4},
  {n = "TimeStamp", p = "msmq.txsequenceid.timestamp", k = "u", z = 4},
})

declare("msmq.messageidentifier", "none", "MessageIdentifier", {doc = "[MS-MQMQ] 2.2.18.1.3 Identifier of a message among all messages of all queue managers."})
declare("msmq.messageidentifier.queuemanagerguid", "guid", "QueueManagerGuid", {doc = "queue manager that sent the message"})
declare("msmq.messageidentifier.ordinal", "uint32", "Ordinal", {doc = "number of the message, unique within its queue manager", base = "DEC"})
structure({name = "MessageIdentifier", section = "[MS-MQMQ] 2.2.18.1.3", least = 20, fixed = 20}, {}, {
  {n = "QueueManagerGuid", p = "msmq.messageidentifier.queuemanagerguid", k = "guid"},
  {n = "Ordinal", p = "msmq.messageidentifier.ordinal", k = "u", z = 4},
})

declare("msmq.mqfdirectqueueformatname", "none", "MQFDirectQueueFormatName", {doc = "[MS-MQMQ] 2.2.18.1.4.1 A direct format name in a list of names."})
declare("msmq.mqfdirectqueueformatname.directformatname", "string", "DirectFormatName", {doc = "direct format name without \034DIRECT=\034, terminator not included"})
structure({name = "MQFDirectQueueFormatName", section = "[MS-MQMQ] 2.2.18.1.4.1", least = 2}, {}, {
  {n = "DirectFormatName", p = "msmq.mqfdirectqueueformatname.directformatname", k = "text", len = {k = "terminated"}},
})

declare("msmq.mqfdistributionqueueformatname", "none", "MQFDistributionQueueFormatName", {doc = "[MS-MQMQ] 2.2.18.1.4.2 A distribution list in a list of names."})
declare("msmq.mqfdistributionqueueformatname.distributionlistidentifier", "guid", "DistributionListIdentifier", {doc = "distribution list in the directory"})
structure({name = "MQFDistributionQueueFormatName", section = "[MS-MQMQ] 2.2.18.1.4.2", least = 16, fixed = 16}, {}, {
  {n = "DistributionListIdentifier", p = "msmq.mqfdistributionqueueformatname.distributionlistidentifier", k = "guid"},
})

declare("msmq.privatequeueformatnameid", "none", "PrivateQueueFormatNameId", {doc = "[MS-MQMQ] 2.2.18.1.5.1 A private queue whose host is stated elsewhere."})
declare("msmq.privatequeueformatnameid.privatequeueidentifier", "uint32", "PrivateQueueIdentifier", {doc = "number of the private queue on its host", base = "DEC"})
structure({name = "PrivateQueueFormatNameId", section = "[MS-MQMQ] 2.2.18.1.5.1", least = 4, fixed = 4}, {}, {
  {n = "PrivateQueueIdentifier", p = "msmq.privatequeueformatnameid.privatequeueidentifier", k = "u", z = 4},
})

declare("msmq.directqueueformatname", "none", "DirectQueueFormatName", {doc = "[MS-MQMQ] 2.2.18.1.5.2 A direct format name in a UserHeader."})
declare("msmq.directqueueformatname.count", "uint16", "Count", {doc = "size of DirectFormatName in bytes, terminator included, padding not", base = "DEC"})
declare("msmq.directqueueformatname.directformatname", "string", "DirectFormatName", {doc = "direct format name without \034DIRECT=\034, terminator included"})
declare("msmq.directqueueformatname.padding", "bytes", "Padding", {doc = "to a 4-byte boundary of the header; any value"})
structure({name = "DirectQueueFormatName", section = "[MS-MQMQ] 2.2.18.1.5.2", least = 2}, {}, {
  {n = "Count", p = "msmq.directqueueformatname.count", k = "u", z = 2},
  {n = "DirectFormatName", p = "msmq.directqueueformatname.directformatname", k = "text", len = {k = "counted", path = {"Count"}, per = 2}},
  {n = "Padding", p = "msmq.directqueueformatname.padding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"Count"}, 1}}, more = 2}},
})

declare("msmq.publicqueueformatname", "none", "PublicQueueFormatName", {doc = "[MS-MQMQ] 2.2.18.1.7.1 A public queue."})
declare("msmq.publicqueueformatname.publicqueueidentifier", "guid", "PublicQueueIdentifier", {doc = "the public queue in the directory"})
structure({name = "PublicQueueFormatName", section = "[MS-MQMQ] 2.2.18.1.7.1", least = 16, fixed = 16}, {}, {
  {n = "PublicQueueIdentifier", p = "msmq.publicqueueformatname.publicqueueidentifier", k = "guid"},
})

declare("msmq.privatequeueformatname", "none", "PrivateQueueFormatName", {doc = "[MS-MQMQ] 2.2.18.1.7.2 A private queue and its host."})
declare("msmq.privatequeueformatname.sourcequeuemanager", "guid", "SourceQueueManager", {doc = "queue manager that hosts the queue"})
declare("msmq.privatequeueformatname.privatequeueidentifier", "uint32", "PrivateQueueIdentifier", {doc = "number of the private queue on that host", base = "DEC"})
structure({name = "PrivateQueueFormatName", section = "[MS-MQMQ] 2.2.18.1.7.2", least = 20, fixed = 20}, {}, {
  {n = "SourceQueueManager", p = "msmq.privatequeueformatname.sourcequeuemanager", k = "guid"},
  {n = "PrivateQueueIdentifier", p = "msmq.privatequeueformatname.privatequeueidentifier", k = "u", z = 4},
})

declare("msmq.mqfformatnameelement", "none", "MQFFormatNameElement", {doc = "[MS-MQMQ] 2.2.18.1.4 One element of a list of names, in one of four forms."})
declare("msmq.mqfformatnameelement.formattype", "uint16", "FormatType", {doc = "form of FormatName", base = "HEX", names = {[0] = "QUEUE_FORMAT_TYPE_UNKNOWN", [1] = "QUEUE_FORMAT_TYPE_PUBLIC", [2] = "QUEUE_FORMAT_TYPE_PRIVATE", [3] = "QUEUE_FORMAT_TYPE_DIRECT", [4] = "QUEUE_FORMAT_TYPE_MACHINE", [5] = "QUEUE_FORMAT_TYPE_CONNECTOR", [6] = "QUEUE_FORMAT_TYPE_DL", [7] = "QUEUE_FORMAT_TYPE_MULTICAST", [8] = "QUEUE_FORMAT_TYPE_SUBQUEUE"}})
declare("msmq.mqfformatnameelement.padding", "bytes", "Padding", {doc = "to the boundary that the form asks for; any value"})
declare("msmq.mqfformatnameelement.formatname", "none", "FormatName", {doc = "the queue's name in the form that FormatType selects"})
structure({name = "MQFFormatNameElement", section = "[MS-MQMQ] 2.2.18.1.4", least = 4}, {}, {
  {n = "FormatType", p = "msmq.mqfformatnameelement.formattype", k = "u", z = 2},
  {n = "Padding", p = "msmq.mqfformatnameelement.padding", k = "bytes", len = {k = "aligned", origin = "MQFAddressHeader", boundary = 4, selector = {"FormatType"}, boundaries = {[3] = 2}, packed = {[1] = true}}},
  {n = "FormatName", p = "msmq.mqfformatnameelement.formatname", k = "choice", sel = {"FormatType"}, forms = {[1] = "PublicQueueFormatName", [2] = "PrivateQueueFormatName", [3] = "MQFDirectQueueFormatName", [6] = "MQFDistributionQueueFormatName"}},
}, {
  {path = {"FormatType"}, op = "in", value = {[1] = true, [2] = true, [3] = true, [6] = true}, id = "MQMQ-2.2.18.1.4-01", level = "must", words = "one of 1, 2, 3, 6"},
})

declare("msmq.xactuow", "none", "XACTUOW", {doc = "[MS-MQMQ] 2.2.18.1.8 Identifier of a transactional unit of work."})
declare("msmq.xactuow.rgb", "bytes", "rgb", {doc = "identifier of a transactional unit of work"})
structure({name = "XACTUOW", section = "[MS-MQMQ] 2.2.18.1.8", least = 16, fixed = 16}, {}, {
  {n = "rgb", p = "msmq.xactuow.rgb", k = "bytes", len = {k = "fixed", n = 16}},
})

declare("msmq.baseheader", "none", "BaseHeader", {doc = "[MS-MQMQ] 2.2.19.1 The first header of every packet, with its version, flags and size."})
declare("msmq.baseheader.versionnumber", "uint8", "VersionNumber", {doc = "version of the packet format, 0x10", base = "HEX"})
declare("msmq.baseheader.reserved", "uint8", "Reserved", {doc = "any value", base = "DEC"})
declare("msmq.baseheader.flags", "uint16", "Flags", {doc = "options of the packet", base = "HEX"})
declare("msmq.baseheader.flags.pr", "uint16", "PR, priority, 0 to 7, 7 the highest", {doc = "priority, 0 to 7, 7 the highest; 0 for a transactional message", base = "DEC", mask = 7, labels = {[0] = "lowest priority", [3] = "default priority", [7] = "highest priority"}})
declare("msmq.baseheader.flags.in", "bool", "IN, internal packet: connection establishment or session acknowledgment", {doc = "internal packet: connection establishment or session acknowledgment", mask = 8, width = 16})
declare("msmq.baseheader.flags.sh", "bool", "SH, a SessionHeader is present", {doc = "a SessionHeader is present", mask = 16, width = 16})
declare("msmq.baseheader.flags.dh", "bool", "DH, a DebugHeader is present", {doc = "a DebugHeader is present", mask = 32, width = 16})
declare("msmq.baseheader.flags.x9", "bool", "X9, reserved", {doc = "reserved", mask = 64, width = 16})
declare("msmq.baseheader.flags.x8", "bool", "X8, reserved", {doc = "reserved", mask = 128, width = 16})
declare("msmq.baseheader.flags.tr", "bool", "TR, tracing of this message is enabled", {doc = "tracing of this message is enabled", mask = 256, width = 16})
declare("msmq.baseheader.flags.x6", "bool", "X6, reserved", {doc = "reserved", mask = 512, width = 16})
declare("msmq.baseheader.flags.x5", "bool", "X5, reserved", {doc = "reserved", mask = 1024, width = 16})
declare("msmq.baseheader.flags.x4", "bool", "X4, reserved", {doc = "reserved", mask = 2048, width = 16})
declare("msmq.baseheader.flags.x3", "bool", "X3, reserved", {doc = "reserved", mask = 4096, width = 16})
declare("msmq.baseheader.flags.x2", "bool", "X2, reserved", {doc = "reserved", mask = 8192, width = 16})
declare("msmq.baseheader.flags.x1", "bool", "X1, reserved", {doc = "reserved", mask = 16384, width = 16})
declare("msmq.baseheader.flags.x0", "bool", "X0, reserved", {doc = "reserved", mask = 32768, width = 16})
declare("msmq.baseheader.signature", "uint32", "Signature", {doc = "0x524F494C", base = "HEX"})
declare("msmq.baseheader.packetsize", "uint32", "PacketSize", {doc = "size of the packet in bytes, at most 0x00400000; without a SessionHeader that follows a UserMessage", base = "DEC"})
declare("msmq.baseheader.timetoreachqueue", "uint32", "TimeToReachQueue", {doc = "time to reach the queue manager, in seconds; 0xFFFFFFFF: infinite", base = "DEC", unit = "s"})
structure({name = "BaseHeader", section = "[MS-MQMQ] 2.2.19.1", least = 16, fixed = 16}, {Flags = {PR = {s = 0, w = 3}, IN = {s = 3, w = 1}, SH = {s = 4, w = 1}, DH = {s = 5, w = 1}, X9 = {s = 6, w = 1}, X8 = {s = 7, w = 1}, TR = {s = 8, w = 1}, X6 = {s = 9, w = 1}, X5 = {s = 10, w = 1}, X4 = {s = 11, w = 1}, X3 = {s = 12, w = 1}, X2 = {s = 13, w = 1}, X1 = {s = 14, w = 1}, X0 = {s = 15, w = 1}}}, {
  {n = "VersionNumber", p = "msmq.baseheader.versionnumber", k = "u", z = 1},
  {n = "Reserved", p = "msmq.baseheader.reserved", k = "u", z = 1},
  {n = "Flags", p = "msmq.baseheader.flags", k = "flags", z = 2, g = {{"msmq.baseheader.flags.pr", 0, 3}, {"msmq.baseheader.flags.in", 3, 1}, {"msmq.baseheader.flags.sh", 4, 1}, {"msmq.baseheader.flags.dh", 5, 1}, {"msmq.baseheader.flags.x9", 6, 1}, {"msmq.baseheader.flags.x8", 7, 1}, {"msmq.baseheader.flags.tr", 8, 1}, {"msmq.baseheader.flags.x6", 9, 1}, {"msmq.baseheader.flags.x5", 10, 1}, {"msmq.baseheader.flags.x4", 11, 1}, {"msmq.baseheader.flags.x3", 12, 1}, {"msmq.baseheader.flags.x2", 13, 1}, {"msmq.baseheader.flags.x1", 14, 1}, {"msmq.baseheader.flags.x0", 15, 1}}},
  {n = "Signature", p = "msmq.baseheader.signature", k = "u", z = 4},
  {n = "PacketSize", p = "msmq.baseheader.packetsize", k = "u", z = 4},
  {n = "TimeToReachQueue", p = "msmq.baseheader.timetoreachqueue", k = "u", z = 4},
}, {
  {path = {"VersionNumber"}, op = "==", value = 16, id = "MQMQ-2.2.19.1-01", level = "must", words = "0x10"},
  {path = {"Flags", "DH"}, op = "==", value = 1, id = "MQMQ-2.2.19.1-15", level = "must", words = "1 while TR is 1", when = {{path = {"Flags", "TR"}, op = "==", value = 1}}},
  {path = {"Signature"}, op = "==", value = 1380927820, id = "MQMQ-2.2.19.1-30", level = "must", words = "0x524f494c"},
  {path = {"PacketSize"}, op = "<=", value = 4194304, id = "MQMQ-2.2.19.1-37", level = "must", words = "at most 0x400000"},
  {path = {"Flags", "X9"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-10", level = "should", words = "0"},
  {path = {"Flags", "X8"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-12", level = "should", words = "0"},
  {path = {"Flags", "X6"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-16", level = "should", words = "0"},
  {path = {"Flags", "X5"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-18", level = "should", words = "0"},
  {path = {"Flags", "X4"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-20", level = "should", words = "0"},
  {path = {"Flags", "X3"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-22", level = "should", words = "0"},
  {path = {"Flags", "X2"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-24", level = "should", words = "0"},
  {path = {"Flags", "X1"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-26", level = "should", words = "0"},
  {path = {"Flags", "X0"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-28", level = "should", words = "0"},
})

declare("msmq.userheader", "none", "UserHeader", {doc = "[MS-MQMQ] 2.2.19.2 The sender and the queues of a message, and the headers that follow."})
declare("msmq.userheader.sourcequeuemanager", "guid", "SourceQueueManager", {doc = "queue manager of the original sender"})
declare("msmq.userheader.queuemanageraddress", "guid", "QueueManagerAddress", {doc = "destination queue manager; null for a direct format name"})
declare("msmq.userheader.timetobereceived", "uint32", "TimeToBeReceived", {doc = "seconds until the message expires; 0xFFFFFFFF: never", base = "DEC", unit = "s"})
declare("msmq.userheader.senttime", "absolute_time", "SentTime", {doc = "when the packet was sent, seconds since 1970-01-01 UTC"})
declare("msmq.userheader.messageid", "uint32", "MessageID", {doc = "number of the message, unique within its sender", base = "DEC"})
declare("msmq.userheader.flags", "uint32", "Flags", {doc = "options of the message", base = "HEX"})
declare("msmq.userheader.flags.rc", "uint32", "RC, routing servers passed, 0x00 to 0x1D", {doc = "routing servers passed, 0x00 to 0x1D", base = "DEC", mask = 31})
declare("msmq.userheader.flags.dm", "uint32", "DM, delivery mode", {doc = "delivery mode", base = "DEC", mask = 96, names = {[0] = "express", [1] = "recoverable"}})
declare("msmq.userheader.flags.x1", "bool", "X1, reserved", {doc = "reserved", mask = 128, width = 32})
declare("msmq.userheader.flags.jn", "bool", "JN, negative source journaling", {doc = "negative source journaling", mask = 256, width = 32})
declare("msmq.userheader.flags.jp", "bool", "JP, positive source journaling", {doc = "positive source journaling", mask = 512, width = 32})
declare("msmq.userheader.flags.dq", "uint32", "DQ, form of DestinationQueue", {doc = "form of DestinationQueue", base = "DEC", mask = 7168, names = {[0] = "none", [3] = "private queue on the destination host", [5] = "public queue", [7] = "direct format name"}})
declare("msmq.userheader.flags.aq", "uint32", "AQ, form of AdminQueue", {doc = "form of AdminQueue", base = "DEC", mask = 57344, names = {[0] = "none", [2] = "private queue on the source host", [3] = "private queue on the destination host", [5] = "public queue", [6] = "private queue on another host", [7] = "direct format name"}})
declare("msmq.userheader.flags.rq", "uint32", "RQ, form of ResponseQueue", {doc = "form of ResponseQueue", base = "DEC", mask = 458752, names = {[0] = "none", [2] = "private queue on the source host", [3] = "private queue on the destination host", [5] = "public queue", [6] = "private queue on another host", [7] = "direct format name", [1] = "the same as AdminQueue", [4] = "private queue on the host of AdminQueue"}})
declare("msmq.userheader.flags.sh", "bool", "SH, a SecurityHeader is present", {doc = "a SecurityHeader is present", mask = 524288, width = 32})
declare("msmq.userheader.flags.th", "bool", "TH, a TransactionHeader is present", {doc = "a TransactionHeader is present", mask = 1048576, width = 32})
declare("msmq.userheader.flags.mp", "bool", "MP, a MessagePropertiesHeader is present, always", {doc = "a MessagePropertiesHeader is present, always", mask = 2097152, width = 32})
declare("msmq.userheader.flags.cq", "bool", "CQ, ConnectorType is present", {doc = "ConnectorType is present", mask = 4194304, width = 32})
declare("msmq.userheader.flags.mq", "bool", "MQ, a MultiQueueFormatHeader is present", {doc = "a MultiQueueFormatHeader is present", mask = 8388608, width = 32})
declare("msmq.userheader.flags.x2", "bool", "X2, reserved", {doc = "reserved", mask = 16777216, width = 32})
declare("msmq.userheader.flags.ah", "bool", "AH, the message was sent over HTTP", {doc = "the message was sent over HTTP; the SRMP headers are present", mask = 33554432, width = 32})
declare("msmq.userheader.flags.x3", "uint32", "X3, reserved", {doc = "reserved", base = "DEC", mask = 201326592, labels = {[1] = "unused; implementations are known to read one more header (erratum M37)", [3] = "unused; implementations are known to read one more header (erratum M37)"}})
declare("msmq.userheader.flags.hh", "bool", "HH, a SoapHeader is present", {doc = "a SoapHeader is present", mask = 268435456, width = 32})
declare("msmq.userheader.flags.x4", "uint32", "X4, reserved", {doc = "reserved", base = "DEC", mask = 3758096384})
declare("msmq.userheader.destinationqueue", "none", "DestinationQueue", {doc = "final destination, in the form that Flags.DQ selects"})
declare("msmq.userheader.adminqueue", "none", "AdminQueue", {doc = "queue for administration acknowledgments, in the form that Flags.AQ selects"})
declare("msmq.userheader.responsequeue", "none", "ResponseQueue", {doc = "queue for replies, in the form that Flags.RQ selects"})
declare("msmq.userheader.connectortype", "guid", "ConnectorType", {doc = "defined by the application; present if Flags.CQ is set"})
structure({name = "UserHeader", section = "[MS-MQMQ] 2.2.19.2", least = 48}, {Flags = {RC = {s = 0, w = 5}, DM = {s = 5, w = 2}, X1 = {s = 7, w = 1}, JN = {s = 8, w = 1}, JP = {s = 9, w = 1}, DQ = {s = 10, w = 3}, AQ = {s = 13, w = 3}, RQ = {s = 16, w = 3}, SH = {s = 19, w = 1}, TH = {s = 20, w = 1}, MP = {s = 21, w = 1}, CQ = {s = 22, w = 1}, MQ = {s = 23, w = 1}, X2 = {s = 24, w = 1}, AH = {s = 25, w = 1}, X3 = {s = 26, w = 2}, HH = {s = 28, w = 1}, X4 = {s = 29, w = 3}}}, {
  {n = "SourceQueueManager", p = "msmq.userheader.sourcequeuemanager", k = "guid"},
  {n = "QueueManagerAddress", p = "msmq.userheader.queuemanageraddress", k = "guid"},
  {n = "TimeToBeReceived", p = "msmq.userheader.timetobereceived", k = "u", z = 4},
  {n = "SentTime", p = "msmq.userheader.senttime", k = "u", z = 4},
  {n = "MessageID", p = "msmq.userheader.messageid", k = "u", z = 4},
  {n = "Flags", p = "msmq.userheader.flags", k = "flags", z = 4, g = {{"msmq.userheader.flags.rc", 0, 5}, {"msmq.userheader.flags.dm", 5, 2}, {"msmq.userheader.flags.x1", 7, 1}, {"msmq.userheader.flags.jn", 8, 1}, {"msmq.userheader.flags.jp", 9, 1}, {"msmq.userheader.flags.dq", 10, 3}, {"msmq.userheader.flags.aq", 13, 3}, {"msmq.userheader.flags.rq", 16, 3}, {"msmq.userheader.flags.sh", 19, 1}, {"msmq.userheader.flags.th", 20, 1}, {"msmq.userheader.flags.mp", 21, 1}, {"msmq.userheader.flags.cq", 22, 1}, {"msmq.userheader.flags.mq", 23, 1}, {"msmq.userheader.flags.x2", 24, 1}, {"msmq.userheader.flags.ah", 25, 1}, {"msmq.userheader.flags.x3", 26, 2}, {"msmq.userheader.flags.hh", 28, 1}, {"msmq.userheader.flags.x4", 29, 3}}},
  {n = "DestinationQueue", p = "msmq.userheader.destinationqueue", k = "choice", sel = {"Flags", "DQ"}, forms = {[0] = false, [3] = "PrivateQueueFormatNameId", [5] = "PublicQueueFormatName", [7] = "DirectQueueFormatName"}},
  {n = "AdminQueue", p = "msmq.userheader.adminqueue", k = "choice", sel = {"Flags", "AQ"}, forms = {[0] = false, [2] = "PrivateQueueFormatNameId", [3] = "PrivateQueueFormatNameId", [5] = "PublicQueueFormatName", [6] = "PrivateQueueFormatName", [7] = "DirectQueueFormatName"}},
  {n = "ResponseQueue", p = "msmq.userheader.responsequeue", k = "choice", sel = {"Flags", "RQ"}, forms = {[0] = false, [1] = false, [2] = "PrivateQueueFormatNameId", [3] = "PrivateQueueFormatNameId", [4] = "PrivateQueueFormatNameId", [5] = "PublicQueueFormatName", [6] = "PrivateQueueFormatName", [7] = "DirectQueueFormatName"}},
  {n = "ConnectorType", p = "msmq.userheader.connectortype", k = "guid", present = {numbers = {{"Flags", "CQ"}}}},
}, {
  {path = {"Flags", "RC"}, op = "within", value = {0, 29}, id = "MQMQ-2.2.19.2-08", level = "must", words = "0 to 0x1d"},
  {path = {"Flags", "DM"}, op = "in", value = {[0] = true, [1] = true}, id = "MQMQ-2.2.19.2-09", level = "must", words = "one of 0, 1"},
  {path = {"Flags", "DQ"}, op = "in", value = {[0] = true, [3] = true, [5] = true, [7] = true}, id = "MQMQ-2.2.19.2-16", level = "must", words = "one of 0, 3, 5, 7"},
  {path = {"Flags", "AQ"}, op = "in", value = {[0] = true, [2] = true, [3] = true, [5] = true, [6] = true, [7] = true}, id = "MQMQ-2.2.19.2-17", level = "must", words = "one of 0, 2, 3, 5, 6, 7"},
  {path = {"Flags", "DM"}, op = "!=", value = 0, id = "MQMQ-2.2.19.2-23", level = "must", words = "not 0 while TH is 1", when = {{path = {"Flags", "TH"}, op = "==", value = 1}}},
  {path = {"Flags", "MP"}, op = "==", value = 1, id = "MQMQ-2.2.19.2-24", level = "must", words = "1"},
  {path = {"Flags", "CQ"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-25", level = "must", words = "0 without ConnectorType", when = {{path = {"ConnectorType"}, op = "is absent"}}},
  {path = {"Flags", "CQ"}, op = "!=", value = 0, id = "MQMQ-2.2.19.2-26", level = "must", words = "1 with ConnectorType", when = {{path = {"ConnectorType"}, op = "is there"}}},
  {path = {"Flags", "AQ"}, op = "!=", value = 0, id = "MQMQ-2.2.19.2-47", level = "must", words = "the form of an administration queue, because RQ refers to it", when = {{path = {"Flags", "RQ"}, op = "in", value = {[1] = true, [4] = true}}}},
  {path = {"Flags", "AH"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-31", level = "must", words = "0 in a packet that is sent"},
  {path = {"Flags", "X1"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-12", level = "should", words = "0"},
  {path = {"Flags", "X2"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-29", level = "should", words = "0"},
  {path = {"Flags", "X4"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-36", level = "should", words = "0"},
  {path = {"Flags", "X3"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-32", level = "should", words = "0"},
})

declare("msmq.messagepropertiesheader", "none", "MessagePropertiesHeader", {doc = "[MS-MQMQ] 2.2.19.3 A message's class, label and body."})
declare("msmq.messagepropertiesheader.flags", "uint8", "Flags", {doc = "administration acknowledgments asked for", base = "HEX"})
declare("msmq.messagepropertiesheader.flags.pa", "bool", "PA, acknowledge delivery", {doc = "acknowledge delivery", mask = 1, width = 8})
declare("msmq.messagepropertiesheader.flags.pr", "bool", "PR, acknowledge retrieval", {doc = "acknowledge retrieval", mask = 2, width = 8})
declare("msmq.messagepropertiesheader.flags.na", "bool", "NA, acknowledge failure of delivery", {doc = "acknowledge failure of delivery", mask = 4, width = 8})
declare("msmq.messagepropertiesheader.flags.nr", "bool", "NR, acknowledge failure of retrieval", {doc = "acknowledge failure of retrieval", mask = 8, width = 8})
declare("msmq.messagepropertiesheader.flags.x", "uint8", "X, unused", {doc = "unused", base = "DEC", mask = 240})
declare("msmq.messagepropertiesheader.labellength", "uint8", "LabelLength", {doc = "WCHARs in Label, terminator included, at most 0xFA", base = "DEC"})
declare("msmq.messagepropertiesheader.messageclass", "uint16", "MessageClass", {doc = "type of the message", base = "HEX", names = {[0] = "MQMSG_CLASS_NORMAL", [1] = "MQMSG_CLASS_REPORT", [2] = "MQMSG_CLASS_ACK_REACH_QUEUE", [255] = "MQMSG_CLASS_ORDER_ACK", [16384] = "MQMSG_CLASS_ACK_RECEIVE", [32768] = "MQMSG_CLASS_NACK_BAD_DST_Q", [32769] = "MQMSG_CLASS_NACK_DELETED", [32770] = "MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT", [32771] = "MQMSG_CLASS_NACK_Q_EXCEED_QUOTA", [32772] = "MQMSG_CLASS_NACK_ACCESS_DENIED", [32773] = "MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED", [32774] = "MQMSG_CLASS_NACK_BAD_SIGNATURE", [32775] = "MQMSG_CLASS_NACK_BAD_ENCRYPTION", [32777] = "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q", [32778] = "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG", [32779] = "MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER", [49152] = "MQMSG_CLASS_NACK_Q_DELETED", [49153] = "MQMSG_CLASS_NACK_Q_PURGED", [49154] = "MQMSG_CLASS_NACK_RECEIVE_TIMEOUT", [49156] = "MQMSG_CLASS_NACK_RECEIVE_REJECTED"}})
declare("msmq.messagepropertiesheader.correlationid", "bytes", "CorrelationID", {doc = "application's data; in an acknowledgment the MessageIdentifier of the message acknowledged"})
declare("msmq.messagepropertiesheader.bodytype", "uint32", "BodyType", {doc = "variant type of the body", base = "DEC", labels = {[0] = "VT_EMPTY", [1] = "VT_NULL", [2] = "VT_I2", [3] = "VT_I4", [8] = "VT_BSTR, a text of COM", [11] = "VT_BOOL", [12] = "VT_VARIANT", [16] = "VT_I1", [17] = "VT_UI1", [18] = "VT_UI2", [19] = "VT_UI4", [20] = "VT_I8", [21] = "VT_UI8", [31] = "VT_LPWSTR", [65] = "VT_BLOB", [72] = "VT_CLSID", [4096] = "VT_VECTOR", [4] = "VT_R4, a number of COM", [5] = "VT_R8, a number of COM", [6] = "VT_CY, an amount of money of COM", [7] = "VT_DATE, a time of COM", [30] = "VT_LPSTR, a text of bytes", [68] = "VT_STREAMED_OBJECT, an object of COM", [69] = "VT_STORED_OBJECT, an object of COM", [768] = "768, an object of .NET that BinaryMessageFormatter wrote", [8209] = "VT_ARRAY | VT_UI1, an array of bytes of COM"}})
declare("msmq.messagepropertiesheader.applicationtag", "uint32", "ApplicationTag", {doc = "application's number", base = "DEC"})
declare("msmq.messagepropertiesheader.messagesize", "uint32", "MessageSize", {doc = "size of MessageBody in bytes", base = "DEC"})
declare("msmq.messagepropertiesheader.allocationbodysize", "uint32", "AllocationBodySize", {doc = "bytes allocated for MessageBody, at least MessageSize", base = "DEC"})
declare("msmq.messagepropertiesheader.privacylevel", "uint32", "PrivacyLevel", {doc = "encryption of the body", base = "DEC", names = {[0] = "not encrypted", [1] = "40-bit encryption", [3] = "128-bit encryption", [5] = "AES encryption"}})
declare("msmq.messagepropertiesheader.hashalgorithm", "uint32", "HashAlgorithm", {doc = "hash that the signature uses", base = "HEX", names = {[9216] = "CALG_RSA_SIGN", [41984] = "CALG_RSA_KEYX", [26114] = "CALG_RC2", [26126] = "CALG_AES_128", [26127] = "CALG_AES_192", [26128] = "CALG_AES_256", [26625] = "CALG_RC4", [32769] = "CALG_MD2", [32770] = "CALG_MD4", [32771] = "CALG_MD5", [32772] = "CALG_SHA1", [32780] = "CALG_SHA_256", [32782] = "CALG_SHA_512"}})
declare("msmq.messagepropertiesheader.encryptionalgorithm", "uint32", "EncryptionAlgorithm", {doc = "cipher of the body", base = "HEX", names = {[9216] = "CALG_RSA_SIGN", [41984] = "CALG_RSA_KEYX", [26114] = "CALG_RC2", [26126] = "CALG_AES_128", [26127] = "CALG_AES_192", [26128] = "CALG_AES_256", [26625] = "CALG_RC4", [32769] = "CALG_MD2", [32770] = "CALG_MD4", [32771] = "CALG_MD5", [32772] = "CALG_SHA1", [32780] = "CALG_SHA_256", [32782] = "CALG_SHA_512"}})
declare("msmq.messagepropertiesheader.extensionsize", "uint32", "ExtensionSize", {doc = "size of ExtensionData in bytes", base = "DEC"})
declare("msmq.messagepropertiesheader.label", "string", "Label", {doc = "application's description, terminator included"})
declare("msmq.messagepropertiesheader.extensiondata", "bytes", "ExtensionData", {doc = "application's additional data"})
declare("msmq.messagepropertiesheader.messagebody", "bytes", "MessageBody", {doc = "the message itself"})
declare("msmq.messagepropertiesheader.padding", "bytes", "Padding", {doc = "to a multiple of 4 bytes; any value"})
structure({name = "MessagePropertiesHeader", section = "[MS-MQMQ] 2.2.19.3", least = 56}, {Flags = {PA = {s = 0, w = 1}, PR = {s = 1, w = 1}, NA = {s = 2, w = 1}, NR = {s = 3, w = 1}, X = {s = 4, w = 4}}}, {
  {n = "Flags", p = "msmq.messagepropertiesheader.flags", k = "flags", z = 1, g = {{"msmq.messagepropertiesheader.flags.pa", 0, 1}, {"msmq.messagepropertiesheader.flags.pr", 1, 1}, {"msmq.messagepropertiesheader.flags.na", 2, 1}, {"msmq.messagepropertiesheader.flags.nr", 3, 1}, {"msmq.messagepropertiesheader.flags.x", 4, 4}}},
  {n = "LabelLength", p = "msmq.messagepropertiesheader.labellength", k = "u", z = 1},
  {n = "MessageClass", p = "msmq.messagepropertiesheader.messageclass", k = "u", z = 2},
  {n = "CorrelationID", p = "msmq.messagepropertiesheader.correlationid", k = "bytes", len = {k = "fixed", n = 20}},
  {n = "BodyType", p = "msmq.messagepropertiesheader.bodytype", k = "u", z = 4},
  {n = "ApplicationTag", p = "msmq.messagepropertiesheader.applicationtag", k = "u", z = 4},
  {n = "MessageSize", p = "msmq.messagepropertiesheader.messagesize", k = "u", z = 4},
  {n = "AllocationBodySize", p = "msmq.messagepropertiesheader.allocationbodysize", k = "u", z = 4},
  {n = "PrivacyLevel", p = "msmq.messagepropertiesheader.privacylevel", k = "u", z = 4},
  {n = "HashAlgorithm", p = "msmq.messagepropertiesheader.hashalgorithm", k = "u", z = 4},
  {n = "EncryptionAlgorithm", p = "msmq.messagepropertiesheader.encryptionalgorithm", k = "u", z = 4},
  {n = "ExtensionSize", p = "msmq.messagepropertiesheader.extensionsize", k = "u", z = 4},
  {n = "Label", p = "msmq.messagepropertiesheader.label", k = "text", len = {k = "counted", path = {"LabelLength"}, per = 1}},
  {n = "ExtensionData", p = "msmq.messagepropertiesheader.extensiondata", k = "bytes", len = {k = "counted", path = {"ExtensionSize"}, per = 1}},
  {n = "MessageBody", p = "msmq.messagepropertiesheader.messagebody", k = "bytes", len = {k = "counted", path = {"MessageSize"}, per = 1}},
  {n = "Padding", p = "msmq.messagepropertiesheader.padding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"LabelLength"}, 2}, {{"ExtensionSize"}, 1}, {{"MessageSize"}, 1}}, more = 0}},
}, {
  {path = {"Flags", "X"}, op = "without bits", value = 1, id = "MQMQ-2.2.19.3-05", level = "should", words = "without bit 4"},
  {path = {"Flags", "X"}, op = "without bits", value = 2, id = "MQMQ-2.2.19.3-07", level = "should", words = "without bit 5"},
  {path = {"Flags", "X"}, op = "without bits", value = 4, id = "MQMQ-2.2.19.3-09", level = "should", words = "without bit 6"},
  {path = {"Flags", "X"}, op = "without bits", value = 8, id = "MQMQ-2.2.19.3-11", level = "should", words = "without bit 7"},
  {path = {"MessageClass"}, op = "without bits", value = 7680, id = "MQMQ-2.2.19.3-16", level = "must", words = "a class of [MS-MQMQ] 2.2.18.1.6, or one of the application within 0xe1ff", when = {{path = {"MessageClass"}, op = "not in", value = {[0] = true, [1] = true, [2] = true, [255] = true, [16384] = true, [32768] = true, [32769] = true, [32770] = true, [32771] = true, [32772] = true, [32773] = true, [32774] = true, [32775] = true, [32777] = true, [32778] = true, [32779] = true, [49152] = true, [49153] = true, [49154] = true, [49156] = true}}}},
  {path = {"BodyType"}, op = "in", value = {[0] = true, [1] = true, [2] = true, [3] = true, [4] = true, [5] = true, [6] = true, [7] = true, [8] = true, [11] = true, [12] = true, [16] = true, [17] = true, [18] = true, [19] = true, [20] = true, [21] = true, [30] = true, [31] = true, [65] = true, [68] = true, [69] = true, [72] = true, [768] = true, [4096] = true, [4097] = true, [4098] = true, [4099] = true, [4107] = true, [4108] = true, [4112] = true, [4113] = true, [4114] = true, [4115] = true, [4116] = true, [4117] = true, [4127] = true, [4161] = true, [4168] = true, [8209] = true}, id = "MQMQ-2.2.19.3-20", level = "must", words = "a variant type of [MS-MQMQ] 2.2.12"},
  {path = {"BodyType"}, op = "!=", value = 12, id = "MQMQ-2.2.12-07", level = "must", words = "VT_VARIANT only as a vector"},
  {path = {"BodyType"}, op = "!=", value = 4096, id = "MQMQ-2.2.12-17", level = "must", words = "VT_VECTOR only with another type"},
  {path = {"AllocationBodySize"}, op = "<=", value = 4194304, id = "MQMQ-2.2.19.3-24", level = "must", words = "at most 0x400000"},
  {path = {"PrivacyLevel"}, op = "in", value = {[0] = true, [1] = true, [3] = true, [5] = true}, id = "MQMQ-2.2.19.3-25", level = "must", words = "one of 0, 1, 3, 5"},
  {path = {"EncryptionAlgorithm"}, op = "in", value = {[0] = true, [26114] = true, [26126] = true, [26127] = true, [26128] = true, [26625] = true}, id = "MQMQ-2.2.19.3-29", level = "must", words = "one of 0x6602, 0x6610, 0x660e, 0x660f, 0x6801", when = {{path = {"PrivacyLevel"}, op = "==", value = 0}}},
  {path = {"EncryptionAlgorithm"}, op = "in", value = {[26114] = true, [26126] = true, [26127] = true, [26128] = true, [26625] = true}, id = "MQMQ-2.2.19.3-29", level = "must", words = "one of 0x6602, 0x6610, 0x660e, 0x660f, 0x6801", when = {{path = {"PrivacyLevel"}, op = "!=", value = 0}}},
  {path = {"EncryptionAlgorithm"}, op = "not in", value = {[26126] = true, [26127] = true, [26128] = true}, id = "MQMQ-2.2.19.3-31", level = "must", words = "RC2 or RC4 with PrivacyLevel 1 and 3, AES with PrivacyLevel 5", when = {{path = {"PrivacyLevel"}, op = "in", value = {[1] = true, [3] = true}}}},
  {path = {"EncryptionAlgorithm"}, op = "not in", value = {[26114] = true, [26625] = true}, id = "MQMQ-2.2.19.3-31", level = "must", words = "RC2 or RC4 with PrivacyLevel 1 and 3, AES with PrivacyLevel 5", when = {{path = {"PrivacyLevel"}, op = "==", value = 5}}},
  {path = {"LabelLength"}, op = "within", value = {0, 250}, id = "MQMQ-2.2.19.3-42", level = "must", words = "0 to 0xfa"},
  {path = {"HashAlgorithm"}, op = "in", value = {[0] = true, [32769] = true, [32770] = true, [32771] = true, [32772] = true, [32780] = true, [32782] = true}, id = "MQMQ-2.2.19.3-43", level = "must", words = "one of 0x8001, 0x8002, 0x8003, 0x8004, 0x800c, 0x800e"},
})

declare("msmq.mqfaddressheader", "none", "MQFAddressHeader", {doc = "[MS-MQMQ] 2.2.20.2 A list of queue names."})
declare("msmq.mqfaddressheader.headersize", "uint32", "HeaderSize", {doc = "size of this header in bytes, variable data included", base = "DEC"})
declare("msmq.mqfaddressheader.headerid", "uint16", "HeaderID", {doc = "which list this is", base = "HEX", names = {[100] = "Destination", [200] = "Administration", [300] = "Response"}})
declare("msmq.mqfaddressheader.reserved", "uint16", "Reserved", {doc = "zero when sent", base = "DEC"})
declare("msmq.mqfaddressheader.elementcount", "uint32", "ElementCount", {doc = "count of names", base = "DEC"})
declare("msmq.mqfaddressheader.formatnamelist", "none", "FormatNameList", {doc = "the names"})
declare("msmq.mqfaddressheader.padding", "bytes", "Padding", {doc = "to a 4-byte boundary; any value"})
structure({name = "MQFAddressHeader", section = "[MS-MQMQ] 2.2.20.2", least = 12, extent = {path = {"HeaderSize"}, multiple = 4}}, {}, {
  {n = "HeaderSize", p = "msmq.mqfaddressheader.headersize", k = "u", z = 4},
  {n = "HeaderID", p = "msmq.mqfaddressheader.headerid", k = "u", z = 2},
  {n = "Reserved", p = "msmq.mqfaddressheader.reserved", k = "u", z = 2},
  {n = "ElementCount", p = "msmq.mqfaddressheader.elementcount", k = "u", z = 4},
  {n = "FormatNameList", p = "msmq.mqfaddressheader.formatnamelist", k = "items", s = "MQFFormatNameElement", count = {"ElementCount"}},
  {n = "Padding", p = "msmq.mqfaddressheader.padding", k = "bytes", len = {k = "rest"}},
}, {
  {path = {"HeaderID"}, op = "in", value = {[100] = true, [200] = true, [300] = true}, id = "MQMQ-2.2.20.2-02", level = "must", words = "one of 0x64, 0xc8, 0x12c"},
  {path = {"Reserved"}, op = "==", value = 0, id = "MQMQ-2.2.20.2-03", level = "should", words = "0"},
})

declare("msmq.mqfsignatureheader", "none", "MQFSignatureHeader", {doc = "[MS-MQMQ] 2.2.20.3 The signature of a MultiQueueFormatHeader."})
declare("msmq.mqfsignatureheader.id", "uint16", "ID", {doc = "0x015E", base = "HEX"})
declare("msmq.mqfsignatureheader.reserved", "uint16", "Reserved", {doc = "zero when sent", base = "DEC"})
declare("msmq.mqfsignatureheader.size", "uint32", "Size", {doc = "size of Signature in bytes", base = "DEC"})
declare("msmq.mqfsignatureheader.signature", "bytes", "Signature", {doc = "the signature"})
structure({name = "MQFSignatureHeader", section = "[MS-MQMQ] 2.2.20.3", least = 8}, {}, {
  {n = "ID", p = "msmq.mqfsignatureheader.id", k = "u", z = 2},
  {n = "Reserved", p = "msmq.mqfsignatureheader.reserved", k = "u", z = 2},
  {n = "Size", p = "msmq.mqfsignatureheader.size", k = "u", z = 4},
  {n = "Signature", p = "msmq.mqfsignatureheader.signature", k = "bytes", len = {k = "counted", path = {"Size"}, per = 1}},
}, {
  {path = {"ID"}, op = "==", value = 350, id = "MQMQ-2.2.20.3-01", level = "must", words = "0x15e"},
  {path = {"Reserved"}, op = "==", value = 0, id = "MQMQ-2.2.20.3-02", level = "should", words = "0"},
})

declare("msmq.multiqueueformatheader", "none", "MultiQueueFormatHeader", {doc = "[MS-MQMQ] 2.2.20.1 All destinations of a message that was sent to several queues."})
declare("msmq.multiqueueformatheader.destination", "none", "Destination", {doc = "every queue that was sent a copy"})
declare("msmq.multiqueueformatheader.administration", "none", "Administration", {doc = "administration queues"})
declare("msmq.multiqueueformatheader.response", "none", "Response", {doc = "response queues"})
declare("msmq.multiqueueformatheader.signature", "none", "Signature", {doc = "signature of the packet"})
declare("msmq.multiqueueformatheader.padding", "bytes", "Padding", {doc = "to a 4-byte boundary of the packet; any value"})
structure({name = "MultiQueueFormatHeader", section = "[MS-MQMQ] 2.2.20.1", least = 44}, {}, {
  {n = "Destination", p = "msmq.multiqueueformatheader.destination", k = "struct", s = "MQFAddressHeader"},
  {n = "Administration", p = "msmq.multiqueueformatheader.administration", k = "struct", s = "MQFAddressHeader"},
  {n = "Response", p = "msmq.multiqueueformatheader.response", k = "struct", s = "MQFAddressHeader"},
  {n = "Signature", p = "msmq.multiqueueformatheader.signature", k = "struct", s = "MQFSignatureHeader"},
  {n = "Padding", p = "msmq.multiqueueformatheader.padding", k = "bytes", len = {k = "aligned", origin = "MultiQueueFormatHeader", boundary = 4, cut_short = true}},
}, {
  {path = {"Destination", "ElementCount"}, op = "!=", value = 0, id = "MQMQ-2.2.20.1-01", level = "must", words = "the number of one name or more"},
  {path = {"Destination", "HeaderID"}, op = "==", value = 100, id = "MQMQ-2.2.20.2-02", level = "must", words = "0x64"},
  {path = {"Administration", "HeaderID"}, op = "==", value = 200, id = "MQMQ-2.2.20.2-02", level = "must", words = "0xc8"},
  {path = {"Response", "HeaderID"}, op = "==", value = 300, id = "MQMQ-2.2.20.2-02", level = "must", words = "0x12c"},
})

declare("msmq.sessionheader", "none", "SessionHeader", {doc = "[MS-MQMQ] 2.2.20.4 Acknowledgments of the messages received on a session, and its window."})
declare("msmq.sessionheader.acksequencenumber", "uint16", "AckSequenceNumber", {doc = "UserMessage packets received on this session", base = "DEC"})
declare("msmq.sessionheader.recoverablemsgackseqnumber", "uint16", "RecoverableMsgAckSeqNumber", {doc = "lowest persisted recoverable message not yet acknowledged; 0: none", base = "DEC"})
declare("msmq.sessionheader.recoverablemsgackflags", "uint32", "RecoverableMsgAckFlags", {doc = "bit k: recoverable message RecoverableMsgAckSeqNumber + k is on disk", base = "HEX"})
declare("msmq.sessionheader.usermsgsequencenumber", "uint16", "UserMsgSequenceNumber", {doc = "UserMessage packets sent on this session", base = "DEC"})
declare("msmq.sessionheader.recoverablemsgseqnumber", "uint16", "RecoverableMsgSeqNumber", {doc = "recoverable UserMessage packets sent on this session", base = "DEC"})
declare("msmq.sessionheader.windowsize", "uint16", "WindowSize", {doc = "acknowledgment window in packets, 1 to 0xFFFF", base = "DEC"})
declare("msmq.sessionheader.reserved", "uint16", "Reserved", {doc = "any value", base = "DEC"})
structure({name = "SessionHeader", section = "[MS-MQMQ] 2.2.20.4", least = 16, fixed = 16}, {}, {
  {n = "AckSequenceNumber", p = "msmq.sessionheader.acksequencenumber", k = "u", z = 2},
  {n = "RecoverableMsgAckSeqNumber", p = "msmq.sessionheader.recoverablemsgackseqnumber", k = "u", z = 2},
  {n = "RecoverableMsgAckFlags", p = "msmq.sessionheader.recoverablemsgackflags", k = "u", z = 4},
  {n = "UserMsgSequenceNumber", p = "msmq.sessionheader.usermsgsequencenumber", k = "u", z = 2},
  {n = "RecoverableMsgSeqNumber", p = "msmq.sessionheader.recoverablemsgseqnumber", k = "u", z = 2},
  {n = "WindowSize", p = "msmq.sessionheader.windowsize", k = "u", z = 2},
  {n = "Reserved", p = "msmq.sessionheader.reserved", k = "u", z = 2},
}, {
  {path = {"WindowSize"}, op = "==", value = 64, id = "MQMQ-2.2.20.4-13", level = "should", words = "0x40"},
  {path = {"WindowSize"}, op = "within", value = {1, 65535}, id = "MQMQ-2.2.20.4-15", level = "must", words = "1 to 0xffff"},
  {path = {"RecoverableMsgAckFlags"}, op = "with bits", value = 1, id = "MQMQ-2.2.20.4-09", level = "must", words = "with bit 0, which stands for RecoverableMsgAckSeqNumber", when = {{path = {"RecoverableMsgAckSeqNumber"}, op = "!=", value = 0}}},
  {path = {"RecoverableMsgAckFlags"}, op = "with bits", value = 1, id = "MQMQ-2.2.20.4-09", level = "must", words = "0, or with bit 0, which stands for RecoverableMsgAckSeqNumber", when = {{path = {"RecoverableMsgAckFlags"}, op = "!=", value = 0}}},
})

declare("msmq.transactionheader", "none", "TransactionHeader", {doc = "[MS-MQMQ] 2.2.20.5 The position of a message in its transactional sequence."})
declare("msmq.transactionheader.flags", "uint32", "Flags", {doc = "options of the transaction", base = "HEX"})
declare("msmq.transactionheader.flags.cg", "bool", "CG, ConnectorQMGuid is present", {doc = "ConnectorQMGuid is present", mask = 1, width = 32})
declare("msmq.transactionheader.flags.fa", "bool", "FA, a FinalAck packet is required", {doc = "a FinalAck packet is required", mask = 2, width = 32})
declare("msmq.transactionheader.flags.fm", "bool", "FM, first message of its transaction", {doc = "first message of its transaction", mask = 4, width = 32})
declare("msmq.transactionheader.flags.lm", "bool", "LM, last message of its transaction", {doc = "last message of its transaction", mask = 8, width = 32})
declare("msmq.transactionheader.flags.id", "uint32", "ID, identifier that correlates the packets of one transaction", {doc = "identifier that correlates the packets of one transaction", base = "HEX", mask = 16777200})
declare("msmq.transactionheader.flags.x1", "bool", "X1, unused", {doc = "unused", mask = 16777216, width = 32})
declare("msmq.transactionheader.flags.x2", "bool", "X2, unused", {doc = "unused", mask = 33554432, width = 32})
declare("msmq.transactionheader.flags.x3", "bool", "X3, unused", {doc = "unused", mask = 67108864, width = 32})
declare("msmq.transactionheader.flags.x4", "bool", "X4, unused", {doc = "unused", mask = 134217728, width = 32})
declare("msmq.transactionheader.flags.x5", "bool", "X5, unused", {doc = "unused", mask = 268435456, width = 32})
declare("msmq.transactionheader.flags.x6", "bool", "X6, unused", {doc = "unused", mask = 536870912, width = 32})
declare("msmq.transactionheader.flags.x7", "bool", "X7, unused", {doc = "unused", mask = 1073741824, width = 32})
declare("msmq.transactionheader.flags.x8", "bool", "X8, unused", {doc = "unused", mask = 2147483648, width = 32})
declare("msmq.transactionheader.txsequencenumber", "uint32", "TxSequenceNumber", {doc = "position of the message in the sequence, from 1", base = "DEC"})
declare("msmq.transactionheader.previoustxsequencenumber", "uint32", "PreviousTxSequenceNumber", {doc = "position of the previous message; 0: none", base = "DEC", labels = {[0] = "none before it"}})
declare("msmq.transactionheader.connectorqmguid", "guid", "ConnectorQMGuid", {doc = "connector queue manager; present if Flags.CG is set"})
structure({name = "TransactionHeader", section = "[MS-MQMQ] 2.2.20.5", least = 20}, {Flags = {CG = {s = 0, w = 1}, FA = {s = 1, w = 1}, FM = {s = 2, w = 1}, LM = {s = 3, w = 1}, ID = {s = 4, w = 20}, X1 = {s = 24, w = 1}, X2 = {s = 25, w = 1}, X3 = {s = 26, w = 1}, X4 = {s = 27, w = 1}, X5 = {s = 28, w = 1}, X6 = {s = 29, w = 1}, X7 = {s = 30, w = 1}, X8 = {s = 31, w = 1}}}, {
  {n = "Flags", p = "msmq.transactionheader.flags", k = "flags", z = 4, g = {{"msmq.transactionheader.flags.cg", 0, 1}, {"msmq.transactionheader.flags.fa", 1, 1}, {"msmq.transactionheader.flags.fm", 2, 1}, {"msmq.transactionheader.flags.lm", 3, 1}, {"msmq.transactionheader.flags.id", 4, 20}, {"msmq.transactionheader.flags.x1", 24, 1}, {"msmq.transactionheader.flags.x2", 25, 1}, {"msmq.transactionheader.flags.x3", 26, 1}, {"msmq.transactionheader.flags.x4", 27, 1}, {"msmq.transactionheader.flags.x5", 28, 1}, {"msmq.transactionheader.flags.x6", 29, 1}, {"msmq.transactionheader.flags.x7", 30, 1}, {"msmq.transactionheader.flags.x8", 31, 1}}},
  {n = "TxSequenceID", p = "msmq.txsequenceid", k = "struct", s = "TxSequenceID"},
  {n = "TxSequenceNumber", p = "msmq.transactionheader.txsequencenumber", k = "u", z = 4},
  {n = "PreviousTxSequenceNumber", p = "msmq.transactionheader.previoustxsequencenumber", k = "u", z = 4},
  {n = "ConnectorQMGuid", p = "msmq.transactionheader.connectorqmguid", k = "guid", present = {numbers = {{"Flags", "CG"}}}},
}, {
  {path = {"Flags", "CG"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-03", level = "must", words = "0 without ConnectorQMGuid", when = {{path = {"ConnectorQMGuid"}, op = "is absent"}}},
  {path = {"Flags", "X1"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-10", level = "should", words = "0"},
  {path = {"Flags", "X2"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-12", level = "should", words = "0"},
  {path = {"Flags", "X3"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-14", level = "should", words = "0"},
  {path = {"Flags", "X4"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-16", level = "should", words = "0"},
  {path = {"Flags", "X5"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-18", level = "should", words = "0"},
  {path = {"Flags", "X6"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-20", level = "should", words = "0"},
  {path = {"Flags", "X7"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-22", level = "should", words = "0"},
  {path = {"Flags", "X8"}, op = "==", value = 0, id = "MQMQ-2.2.20.5-24", level = "should", words = "0"},
  {path = {"Flags", "CG"}, op = "!=", value = 0, id = "MQMQ-2.2.20.5-31", level = "must", words = "1 with ConnectorQMGuid", when = {{path = {"ConnectorQMGuid"}, op = "is there"}}},
  {path = {"TxSequenceNumber"}, op = "within", value = {1, 4294967295}, id = "MQMQ-2.2.20.5-33", level = "must", words = "1 to 0xffffffff"},
  {path = {"PreviousTxSequenceNumber"}, op = "within", value = {0, 4294967294}, id = "MQMQ-2.2.20.5-34", level = "must", words = "0 to 0xfffffffe"},
})

declare("msmq.securitydata", "none", "SecurityData", {doc = "[MS-MQMQ] 2.2.20.6 the five parts; absent when all five sizes are zero"})
declare("msmq.securitydata.securityid", "bytes", "SecurityID", {doc = "SID of the sender, or GUID of its queue manager"})
declare("msmq.securitydata.securityidpadding", "bytes", "SecurityIDPadding", {doc = "to a 4-byte boundary; the name is ours"})
declare("msmq.securitydata.encryptionkey", "bytes", "EncryptionKey", {doc = "session key, see SIMPLEBLOB"})
declare("msmq.securitydata.encryptionkeypadding", "bytes", "EncryptionKeyPadding", {doc = "to a 4-byte boundary; the name is ours"})
declare("msmq.securitydata.signature", "bytes", "Signature", {doc = "digital signature of the packet"})
declare("msmq.securitydata.signaturepadding", "bytes", "SignaturePadding", {doc = "to a 4-byte boundary; the name is ours"})
declare("msmq.securitydata.sendercert", "bytes", "SenderCert", {doc = "X.509 certificate of the sender"})
declare("msmq.securitydata.sendercertpadding", "bytes", "SenderCertPadding", {doc = "to a 4-byte boundary; the name is ours"})
declare("msmq.securitydata.providerinfo", "bytes", "ProviderInfo", {doc = "alternative provider, see ProviderInfo"})
declare("msmq.securitydata.providerinfopadding", "bytes", "ProviderInfoPadding", {doc = "to a 4-byte boundary; the name is ours"})
structure({name = "SecurityData", section = "[MS-MQMQ] 2.2.20.6", least = 0}, {}, {
  {n = "SecurityID", p = "msmq.securitydata.securityid", k = "bytes", len = {k = "counted", path = {"SenderIdSize"}, per = 1}},
  {n = "SecurityIDPadding", p = "msmq.securitydata.securityidpadding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"SenderIdSize"}, 1}}, more = 0}},
  {n = "EncryptionKey", p = "msmq.securitydata.encryptionkey", k = "bytes", len = {k = "counted", path = {"EncryptionKeySize"}, per = 1}, inside = {s = "SIMPLEBLOB", begins = "\001\002"}},
  {n = "EncryptionKeyPadding", p = "msmq.securitydata.encryptionkeypadding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"EncryptionKeySize"}, 1}}, more = 0}},
  {n = "Signature", p = "msmq.securitydata.signature", k = "bytes", len = {k = "counted", path = {"SignatureSize"}, per = 1}},
  {n = "SignaturePadding", p = "msmq.securitydata.signaturepadding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"SignatureSize"}, 1}}, more = 0}},
  {n = "SenderCert", p = "msmq.securitydata.sendercert", k = "bytes", len = {k = "counted", path = {"SenderCertSize"}, per = 1}},
  {n = "SenderCertPadding", p = "msmq.securitydata.sendercertpadding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"SenderCertSize"}, 1}}, more = 0}},
  {n = "ProviderInfo", p = "msmq.securitydata.providerinfo", k = "bytes", len = {k = "counted", path = {"ProviderInfoSize"}, per = 1}, inside = {s = "ProviderInfo", begins = ""}},
  {n = "ProviderInfoPadding", p = "msmq.securitydata.providerinfopadding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"ProviderInfoSize"}, 1}}, more = 0}},
})

declare("msmq.securityheader", "none", "SecurityHeader", {doc = "[MS-MQMQ] 2.2.20.6 Sender's identity, keys, signature and certificate."})
declare("msmq.securityheader.flags", "uint16", "Flags", {doc = "options of the security information", base = "HEX"})
declare("msmq.securityheader.flags.st", "uint16", "ST, type of SecurityData.SecurityID", {doc = "type of SecurityData.SecurityID", base = "DEC", mask = 15, names = {[0] = "no SecurityID", [1] = "SID of the sender", [2] = "GUID of the queue manager"}})
declare("msmq.securityheader.flags.au", "bool", "AU, message is authenticated, zero when sent", {doc = "message is authenticated, zero when sent", mask = 16, width = 16})
declare("msmq.securityheader.flags.eb", "bool", "EB, body is encrypted", {doc = "body is encrypted", mask = 32, width = 16})
declare("msmq.securityheader.flags.de", "bool", "DE, default cryptographic provider", {doc = "default cryptographic provider", mask = 64, width = 16})
declare("msmq.securityheader.flags.ai", "bool", "AI, SecurityData is present", {doc = "SecurityData is present", mask = 128, width = 16})
declare("msmq.securityheader.flags.as", "uint16", "AS, authentication signature type, zero when sent", {doc = "authentication signature type, zero when sent", base = "DEC", mask = 3840})
declare("msmq.securityheader.flags.x12", "bool", "X12, unused", {doc = "unused", mask = 4096, width = 16})
declare("msmq.securityheader.flags.x13", "bool", "X13, unused", {doc = "unused", mask = 8192, width = 16})
declare("msmq.securityheader.flags.x14", "bool", "X14, unused", {doc = "unused", mask = 16384, width = 16})
declare("msmq.securityheader.flags.x15", "bool", "X15, unused", {doc = "unused", mask = 32768, width = 16})
declare("msmq.securityheader.senderidsize", "uint16", "SenderIdSize", {doc = "size of SecurityData.SecurityID in bytes", base = "DEC"})
declare("msmq.securityheader.encryptionkeysize", "uint16", "EncryptionKeySize", {doc = "size of SecurityData.EncryptionKey in bytes", base = "DEC"})
declare("msmq.securityheader.signaturesize", "uint16", "SignatureSize", {doc = "size of SecurityData.Signature in bytes", base = "DEC"})
declare("msmq.securityheader.sendercertsize", "uint32", "SenderCertSize", {doc = "size of SecurityData.SenderCert in bytes, at most 0xFFFF", base = "DEC"})
declare("msmq.securityheader.providerinfosize", "uint32", "ProviderInfoSize", {doc = "size of SecurityData.ProviderInfo in bytes", base = "DEC"})
structure({name = "SecurityHeader", section = "[MS-MQMQ] 2.2.20.6", least = 16}, {Flags = {ST = {s = 0, w = 4}, AU = {s = 4, w = 1}, EB = {s = 5, w = 1}, DE = {s = 6, w = 1}, AI = {s = 7, w = 1}, AS = {s = 8, w = 4}, X12 = {s = 12, w = 1}, X13 = {s = 13, w = 1}, X14 = {s = 14, w = 1}, X15 = {s = 15, w = 1}}}, {
  {n = "Flags", p = "msmq.securityheader.flags", k = "flags", z = 2, g = {{"msmq.securityheader.flags.st", 0, 4}, {"msmq.securityheader.flags.au", 4, 1}, {"msmq.securityheader.flags.eb", 5, 1}, {"msmq.securityheader.flags.de", 6, 1}, {"msmq.securityheader.flags.ai", 7, 1}, {"msmq.securityheader.flags.as", 8, 4}, {"msmq.securityheader.flags.x12", 12, 1}, {"msmq.securityheader.flags.x13", 13, 1}, {"msmq.securityheader.flags.x14", 14, 1}, {"msmq.securityheader.flags.x15", 15, 1}}},
  {n = "SenderIdSize", p = "msmq.securityheader.senderidsize", k = "u", z = 2},
  {n = "EncryptionKeySize", p = "msmq.securityheader.encryptionkeysize", k = "u", z = 2},
  {n = "SignatureSize", p = "msmq.securityheader.signaturesize", k = "u", z = 2},
  {n = "SenderCertSize", p = "msmq.securityheader.sendercertsize", k = "u", z = 4},
  {n = "ProviderInfoSize", p = "msmq.securityheader.providerinfosize", k = "u", z = 4},
  {n = "SecurityData", p = "msmq.securitydata", k = "struct", s = "SecurityData", present = {numbers = {{"SenderIdSize"}, {"EncryptionKeySize"}, {"SignatureSize"}, {"SenderCertSize"}, {"ProviderInfoSize"}}}},
}, {
  {path = {"Flags", "ST"}, op = "in", value = {[0] = true, [1] = true, [2] = true}, id = "MQMQ-2.2.20.6-01", level = "must", words = "one of 0, 1, 2"},
  {path = {"SenderIdSize"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-02", level = "must", words = "0 while ST is 0", when = {{path = {"Flags", "ST"}, op = "==", value = 0}}},
  {path = {"Flags", "AU"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-05", level = "must", words = "0"},
  {path = {"Flags", "AI"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-08", level = "must", words = "0 without SecurityData", when = {{path = {"SecurityData"}, op = "is absent"}}},
  {path = {"Flags", "AS"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-09", level = "must", words = "0"},
  {path = {"Flags", "X12"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-10", level = "should", words = "0"},
  {path = {"Flags", "X13"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-12", level = "should", words = "0"},
  {path = {"Flags", "X14"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-14", level = "should", words = "0"},
  {path = {"Flags", "X15"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-16", level = "should", words = "0"},
  {path = {"SenderIdSize"}, op = "!=", value = 0, id = "MQMQ-2.2.20.6-23", level = "must", words = "not 0 while the other four sizes are 0", when = {{path = {"EncryptionKeySize"}, op = "==", value = 0}, {path = {"SignatureSize"}, op = "==", value = 0}, {path = {"SenderCertSize"}, op = "==", value = 0}, {path = {"ProviderInfoSize"}, op = "==", value = 0}}},
  {path = {"ProviderInfoSize"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-43", level = "must", words = "0 while DE is 1", when = {{path = {"Flags", "DE"}, op = "==", value = 1}}},
  {path = {"SenderCertSize"}, op = "within", value = {0, 65535}, id = "MQMQ-2.2.20.6-44", level = "must", words = "0 to 0xffff"},
  {path = {"EncryptionKeySize"}, op = "!=", value = 0, id = "MQMQ-2.2.20.6-06", level = "must", words = "the size of the key of the body, because EB is 1", when = {{path = {"Flags", "EB"}, op = "==", value = 1}}},
})

declare("msmq.providerinfo", "none", "ProviderInfo", {doc = "[MS-MQMQ] 2.2.20.6 The cryptographic provider that made a signature, from `SecurityData.ProviderInfo`."})
declare("msmq.providerinfo.providertype", "uint32", "ProviderType", {doc = "type of the provider that made the signature", base = "DEC"})
declare("msmq.providerinfo.providername", "string", "ProviderName", {doc = "its name, terminator not included"})
structure({name = "ProviderInfo", section = "[MS-MQMQ] 2.2.20.6", least = 6}, {}, {
  {n = "ProviderType", p = "msmq.providerinfo.providertype", k = "u", z = 4},
  {n = "ProviderName", p = "msmq.providerinfo.providername", k = "text", len = {k = "terminated"}},
})

declare("msmq.sendercertpublickey", "none", "SenderCertPublicKey", {doc = "[MS-MQMQ] 2.2.20.6 The public key in a sender's certificate."})
declare("msmq.sendercertpublickey.btype", "uint8", "bType", {doc = "0x06, a public key; the page prints values only, so this name is ours", base = "DEC"})
declare("msmq.sendercertpublickey.bversion", "uint8", "bVersion", {doc = "0x02; the name is ours", base = "DEC"})
declare("msmq.sendercertpublickey.reserved", "uint16", "reserved", {doc = "zero; the name is ours", base = "DEC"})
declare("msmq.sendercertpublickey.keytype", "uint32", "KeyType", {doc = "the purpose of the key", base = "HEX", names = {[9216] = "CALG_RSA_SIGN", [41984] = "CALG_RSA_KEYX", [26114] = "CALG_RC2", [26126] = "CALG_AES_128", [26127] = "CALG_AES_192", [26128] = "CALG_AES_256", [26625] = "CALG_RC4", [32769] = "CALG_MD2", [32770] = "CALG_MD4", [32771] = "CALG_MD5", [32772] = "CALG_SHA1", [32780] = "CALG_SHA_256", [32782] = "CALG_SHA_512"}})
declare("msmq.sendercertpublickey.magic", "bytes", "magic", {doc = "\034RSA1\034; the name is ours"})
declare("msmq.sendercertpublickey.lengthinbits", "uint32", "LengthInBits", {doc = "length of Modulus in bits", base = "DEC"})
declare("msmq.sendercertpublickey.publicexponent", "uint32", "PublicExponent", {doc = "e of the key pair", base = "DEC"})
declare("msmq.sendercertpublickey.modulus", "bytes", "Modulus", {doc = "n of the key pair, little-endian, filled up with zeros"})
structure({name = "SenderCertPublicKey", section = "[MS-MQMQ] 2.2.20.6", least = 20}, {}, {
  {n = "bType", p = "msmq.sendercertpublickey.btype", k = "u", z = 1},
  {n = "bVersion", p = "msmq.sendercertpublickey.bversion", k = "u", z = 1},
  {n = "reserved", p = "msmq.sendercertpublickey.reserved", k = "u", z = 2},
  {n = "KeyType", p = "msmq.sendercertpublickey.keytype", k = "u", z = 4},
  {n = "magic", p = "msmq.sendercertpublickey.magic", k = "bytes", len = {k = "fixed", n = 4}},
  {n = "LengthInBits", p = "msmq.sendercertpublickey.lengthinbits", k = "u", z = 4},
  {n = "PublicExponent", p = "msmq.sendercertpublickey.publicexponent", k = "u", z = 4},
  {n = "Modulus", p = "msmq.sendercertpublickey.modulus", k = "bytes", len = {k = "rest"}},
}, {
  {path = {"KeyType"}, op = "in", value = {[9216] = true, [41984] = true}, id = "MQMQ-2.2.20.6-32", level = "must", words = "one of 0x2400, 0xa400"},
  {path = {"PublicExponent"}, op = "with bits", value = 1, id = "MQMQ-2.2.20.6-36", level = "must", words = "an odd number of 3 or more"},
  {path = {"PublicExponent"}, op = "!=", value = 1, id = "MQMQ-2.2.20.6-36", level = "must", words = "an odd number of 3 or more"},
  {path = {"bType"}, op = "==", value = 6, id = "MQMQ-2.2.20.6-48", level = "must", words = "6"},
  {path = {"bVersion"}, op = "==", value = 2, id = "MQMQ-2.2.20.6-48", level = "must", words = "2"},
  {path = {"reserved"}, op = "==", value = 0, id = "MQMQ-2.2.20.6-48", level = "must", words = "0"},
})

declare("msmq.soapheader", "none", "SoapHeader", {doc = "[MS-MQMQ] 2.2.20.7 Two texts of the application."})
declare("msmq.soapheader.headersectionid", "uint16", "HeaderSectionID", {doc = "0x0320", base = "HEX"})
declare("msmq.soapheader.reserved", "uint16", "Reserved", {doc = "zero when sent", base = "DEC"})
declare("msmq.soapheader.headerdatalength", "uint32", "HeaderDataLength", {doc = "WCHARs in Header, terminator included", base = "DEC"})
declare("msmq.soapheader.header", "string", "Header", {doc = "application's text, terminator included"})
declare("msmq.soapheader.headerpadding", "bytes", "HeaderPadding", {doc = "to a 4-byte boundary if BodySectionID is aligned, otherwise absent; any value"})
declare("msmq.soapheader.bodysectionid", "uint16", "BodySectionID", {doc = "0x0384", base = "HEX"})
declare("msmq.soapheader.reserved1", "uint16", "Reserved1", {doc = "zero when sent", base = "DEC"})
declare("msmq.soapheader.bodydatalength", "uint32", "BodyDataLength", {doc = "WCHARs in Body, terminator included", base = "DEC"})
declare("msmq.soapheader.body", "string", "Body", {doc = "application's text, terminator included"})
declare("msmq.soapheader.padding", "bytes", "Padding", {doc = "to a 4-byte boundary of the packet; any value"})
structure({name = "SoapHeader", section = "[MS-MQMQ] 2.2.20.7", least = 16}, {}, {
  {n = "HeaderSectionID", p = "msmq.soapheader.headersectionid", k = "u", z = 2},
  {n = "Reserved", p = "msmq.soapheader.reserved", k = "u", z = 2},
  {n = "HeaderDataLength", p = "msmq.soapheader.headerdatalength", k = "u", z = 4},
  {n = "Header", p = "msmq.soapheader.header", k = "text", len = {k = "counted", path = {"HeaderDataLength"}, per = 1}},
  {n = "HeaderPadding", p = "msmq.soapheader.headerpadding", k = "bytes", len = {k = "aligned", origin = "SoapHeader", boundary = 4, before = 900}},
  {n = "BodySectionID", p = "msmq.soapheader.bodysectionid", k = "u", z = 2},
  {n = "Reserved1", p = "msmq.soapheader.reserved1", k = "u", z = 2},
  {n = "BodyDataLength", p = "msmq.soapheader.bodydatalength", k = "u", z = 4},
  {n = "Body", p = "msmq.soapheader.body", k = "text", len = {k = "counted", path = {"BodyDataLength"}, per = 1}},
  {n = "Padding", p = "msmq.soapheader.padding", k = "bytes", len = {k = "aligned", origin = "SoapHeader", boundary = 4, cut_short = true}},
}, {
  {path = {"HeaderSectionID"}, op = "==", value = 800, id = "MQMQ-2.2.20.7-01", level = "must", words = "0x320"},
  {path = {"Reserved"}, op = "==", value = 0, id = "MQMQ-2.2.20.7-02", level = "should", words = "0"},
  {path = {"BodySectionID"}, op = "==", value = 900, id = "MQMQ-2.2.20.7-05", level = "must", words = "0x384"},
  {path = {"Reserved1"}, op = "==", value = 0, id = "MQMQ-2.2.20.7-06", level = "should", words = "0"},
})

declare("msmq.debugheader", "none", "DebugHeader", {doc = "[MS-MQMQ] 2.2.20.8 The queue that receives trace messages."})
declare("msmq.debugheader.flags", "uint16", "Flags", {doc = "options of tracing", base = "HEX"})
declare("msmq.debugheader.flags.qt", "uint16", "QT, form of the trace queue", {doc = "form of the trace queue", base = "DEC", mask = 3, names = {[0] = "no queue", [1] = "public queue"}})
declare("msmq.debugheader.flags.x2", "bool", "X2, unused", {doc = "unused", mask = 4, width = 16})
declare("msmq.debugheader.flags.x3", "bool", "X3, unused", {doc = "unused", mask = 8, width = 16})
declare("msmq.debugheader.flags.x4", "bool", "X4, unused", {doc = "unused", mask = 16, width = 16})
declare("msmq.debugheader.flags.x5", "bool", "X5, unused", {doc = "unused", mask = 32, width = 16})
declare("msmq.debugheader.flags.x6", "bool", "X6, unused", {doc = "unused", mask = 64, width = 16})
declare("msmq.debugheader.flags.x7", "bool", "X7, unused", {doc = "unused", mask = 128, width = 16})
declare("msmq.debugheader.flags.x8", "bool", "X8, unused", {doc = "unused", mask = 256, width = 16})
declare("msmq.debugheader.flags.x9", "bool", "X9, unused", {doc = "unused", mask = 512, width = 16})
declare("msmq.debugheader.flags.x10", "bool", "X10, unused", {doc = "unused", mask = 1024, width = 16})
declare("msmq.debugheader.flags.x11", "bool", "X11, unused", {doc = "unused", mask = 2048, width = 16})
declare("msmq.debugheader.flags.x12", "bool", "X12, unused", {doc = "unused", mask = 4096, width = 16})
declare("msmq.debugheader.flags.x13", "bool", "X13, unused", {doc = "unused", mask = 8192, width = 16})
declare("msmq.debugheader.flags.x14", "bool", "X14, unused", {doc = "unused", mask = 16384, width = 16})
declare("msmq.debugheader.flags.x15", "bool", "X15, unused", {doc = "unused", mask = 32768, width = 16})
declare("msmq.debugheader.reserved", "uint16", "Reserved", {doc = "zero when sent", base = "DEC"})
declare("msmq.debugheader.queueidentifier", "guid", "QueueIdentifier", {doc = "queue that receives trace messages; present if Flags.QT is 1"})
structure({name = "DebugHeader", section = "[MS-MQMQ] 2.2.20.8", least = 4}, {Flags = {QT = {s = 0, w = 2}, X2 = {s = 2, w = 1}, X3 = {s = 3, w = 1}, X4 = {s = 4, w = 1}, X5 = {s = 5, w = 1}, X6 = {s = 6, w = 1}, X7 = {s = 7, w = 1}, X8 = {s = 8, w = 1}, X9 = {s = 9, w = 1}, X10 = {s = 10, w = 1}, X11 = {s = 11, w = 1}, X12 = {s = 12, w = 1}, X13 = {s = 13, w = 1}, X14 = {s = 14, w = 1}, X15 = {s = 15, w = 1}}}, {
  {n = "Flags", p = "msmq.debugheader.flags", k = "flags", z = 2, g = {{"msmq.debugheader.flags.qt", 0, 2}, {"msmq.debugheader.flags.x2", 2, 1}, {"msmq.debugheader.flags.x3", 3, 1}, {"msmq.debugheader.flags.x4", 4, 1}, {"msmq.debugheader.flags.x5", 5, 1}, {"msmq.debugheader.flags.x6", 6, 1}, {"msmq.debugheader.flags.x7", 7, 1}, {"msmq.debugheader.flags.x8", 8, 1}, {"msmq.debugheader.flags.x9", 9, 1}, {"msmq.debugheader.flags.x10", 10, 1}, {"msmq.debugheader.flags.x11", 11, 1}, {"msmq.debugheader.flags.x12", 12, 1}, {"msmq.debugheader.flags.x13", 13, 1}, {"msmq.debugheader.flags.x14", 14, 1}, {"msmq.debugheader.flags.x15", 15, 1}}},
  {n = "Reserved", p = "msmq.debugheader.reserved", k = "u", z = 2},
  {n = "QueueIdentifier", p = "msmq.debugheader.queueidentifier", k = "guid", present = {numbers = {{"Flags", "QT"}}, value = 1}},
}, {
  {path = {"Flags", "QT"}, op = "in", value = {[0] = true, [1] = true}, id = "MQMQ-2.2.20.8-01", level = "must", words = "one of 0, 1"},
  {path = {"Flags", "X2"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-02", level = "should", words = "0"},
  {path = {"Flags", "X3"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-04", level = "should", words = "0"},
  {path = {"Flags", "X4"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-06", level = "should", words = "0"},
  {path = {"Flags", "X5"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-08", level = "should", words = "0"},
  {path = {"Flags", "X6"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-10", level = "should", words = "0"},
  {path = {"Flags", "X7"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-12", level = "should", words = "0"},
  {path = {"Flags", "X8"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-14", level = "should", words = "0"},
  {path = {"Flags", "X9"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-16", level = "should", words = "0"},
  {path = {"Flags", "X10"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-18", level = "should", words = "0"},
  {path = {"Flags", "X11"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-20", level = "should", words = "0"},
  {path = {"Flags", "X12"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-22", level = "should", words = "0"},
  {path = {"Flags", "X13"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-24", level = "should", words = "0"},
  {path = {"Flags", "X14"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-26", level = "should", words = "0"},
  {path = {"Flags", "X15"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-28", level = "should", words = "0"},
  {path = {"Reserved"}, op = "==", value = 0, id = "MQMQ-2.2.20.8-30", level = "should", words = "0"},
  {path = {"Flags", "QT"}, op = "!=", value = 1, id = "MQMQ-2.2.20.8-32", level = "must", words = "0 without QueueIdentifier", when = {{path = {"QueueIdentifier"}, op = "is absent"}}},
  {path = {"Flags", "QT"}, op = "==", value = 1, id = "MQMQ-2.2.20.8-33", level = "must", words = "1 with QueueIdentifier", when = {{path = {"QueueIdentifier"}, op = "is there"}}},
})

declare("msmq.mqusersigncert", "none", "MQUSERSIGNCERT", {doc = "[MS-MQMQ] 2.2.22 A user's certificate with its digest and identifier."})
declare("msmq.mqusersigncert.digest", "bytes", "Digest", {doc = "MD5 of Certificate"})
declare("msmq.mqusersigncert.identifier", "guid", "Identifier", {doc = "identifier of the certificate"})
declare("msmq.mqusersigncert.certificatelength", "uint32", "CertificateLength", {doc = "size of Certificate in bytes", base = "DEC"})
declare("msmq.mqusersigncert.certificate", "bytes", "Certificate", {doc = "X.509 certificate"})
structure({name = "MQUSERSIGNCERT", section = "[MS-MQMQ] 2.2.22", least = 36}, {}, {
  {n = "Digest", p = "msmq.mqusersigncert.digest", k = "bytes", len = {k = "fixed", n = 16}},
  {n = "Identifier", p = "msmq.mqusersigncert.identifier", k = "guid"},
  {n = "CertificateLength", p = "msmq.mqusersigncert.certificatelength", k = "u", z = 4},
  {n = "Certificate", p = "msmq.mqusersigncert.certificate", k = "bytes", len = {k = "counted", path = {"CertificateLength"}, per = 1}},
})

declare("msmq.mqusersigncerts", "none", "MQUSERSIGNCERTS", {doc = "[MS-MQMQ] 2.2.21 All certificates of a user, as the directory keeps them."})
declare("msmq.mqusersigncerts.certificatecount", "uint32", "CertificateCount", {doc = "count of certificates", base = "DEC"})
declare("msmq.mqusersigncerts.certificates", "none", "Certificates", {doc = "the certificates"})
structure({name = "MQUSERSIGNCERTS", section = "[MS-MQMQ] 2.2.21", least = 4}, {}, {
  {n = "CertificateCount", p = "msmq.mqusersigncerts.certificatecount", k = "u", z = 4},
  {n = "Certificates", p = "msmq.mqusersigncerts.certificates", k = "items", s = "MQUSERSIGNCERT", count = {"CertificateCount"}},
})

declare("msmq.srmpenvelopeheader", "none", "SRMPEnvelopeHeader", {doc = "[MS-MQRR] 2.2.5.1.2.1 The SOAP envelope of a message that was sent over HTTP."})
declare("msmq.srmpenvelopeheader.headerid", "uint16", "HeaderId", {doc = "number of the header", base = "DEC"})
declare("msmq.srmpenvelopeheader.reserved", "uint16", "Reserved", {doc = "any value", base = "DEC"})
declare("msmq.srmpenvelopeheader.datalength", "uint32", "DataLength", {doc = "WCHARs in Data, terminator included", base = "DEC"})
declare("msmq.srmpenvelopeheader.data", "string", "Data", {doc = "SOAP envelope of the message, terminator included"})
declare("msmq.srmpenvelopeheader.padding", "bytes", "Padding", {doc = "to a 4-byte boundary; any value"})
structure({name = "SRMPEnvelopeHeader", section = "[MS-MQRR] 2.2.5.1.2.1", least = 8}, {}, {
  {n = "HeaderId", p = "msmq.srmpenvelopeheader.headerid", k = "u", z = 2},
  {n = "Reserved", p = "msmq.srmpenvelopeheader.reserved", k = "u", z = 2},
  {n = "DataLength", p = "msmq.srmpenvelopeheader.datalength", k = "u", z = 4},
  {n = "Data", p = "msmq.srmpenvelopeheader.data", k = "text", len = {k = "counted", path = {"DataLength"}, per = 1}},
  {n = "Padding", p = "msmq.srmpenvelopeheader.padding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"DataLength"}, 2}}, more = 0}},
})

declare("msmq.compoundmessageheader", "none", "CompoundMessageHeader", {doc = "[MS-MQRR] 2.2.5.1.2.2 The HTTP request of a message that was sent over HTTP, with the position of its body."})
declare("msmq.compoundmessageheader.headerid", "uint16", "HeaderId", {doc = "number of the header, 500 in packets seen", base = "DEC"})
declare("msmq.compoundmessageheader.reserved", "uint16", "Reserved", {doc = "any value", base = "DEC"})
declare("msmq.compoundmessageheader.httpbodysize", "uint32", "HTTPBodySize", {doc = "size of Data in bytes", base = "DEC"})
declare("msmq.compoundmessageheader.msgbodysize", "uint32", "MsgBodySize", {doc = "size of the message body within Data in bytes", base = "DEC"})
declare("msmq.compoundmessageheader.msgbodyoffset", "uint32", "MsgBodyOffset", {doc = "where the message body starts within Data", base = "DEC"})
declare("msmq.compoundmessageheader.data", "bytes", "Data", {doc = "the HTTP POST that carried the message"})
declare("msmq.compoundmessageheader.padding", "bytes", "Padding", {doc = "to a 4-byte boundary; any value"})
structure({name = "CompoundMessageHeader", section = "[MS-MQRR] 2.2.5.1.2.2", least = 16}, {}, {
  {n = "HeaderId", p = "msmq.compoundmessageheader.headerid", k = "u", z = 2},
  {n = "Reserved", p = "msmq.compoundmessageheader.reserved", k = "u", z = 2},
  {n = "HTTPBodySize", p = "msmq.compoundmessageheader.httpbodysize", k = "u", z = 4},
  {n = "MsgBodySize", p = "msmq.compoundmessageheader.msgbodysize", k = "u", z = 4},
  {n = "MsgBodyOffset", p = "msmq.compoundmessageheader.msgbodyoffset", k = "u", z = 4},
  {n = "Data", p = "msmq.compoundmessageheader.data", k = "bytes", len = {k = "counted", path = {"HTTPBodySize"}, per = 1}},
  {n = "Padding", p = "msmq.compoundmessageheader.padding", k = "bytes", len = {k = "fill", boundary = 4, sizes = {{{"HTTPBodySize"}, 1}}, more = 0}},
})

declare("msmq.extensionheader", "none", "ExtensionHeader", {doc = "[MS-MQRR] 2.2.5.2 Announces the further headers after a message."})
declare("msmq.extensionheader.headersize", "uint32", "HeaderSize", {doc = "size of this header in bytes", base = "DEC"})
declare("msmq.extensionheader.remainingheaderssize", "uint32", "RemainingHeadersSize", {doc = "sum of the sizes of the headers that follow, in bytes", base = "DEC"})
declare("msmq.extensionheader.flags", "uint8", "Flags", {doc = "which headers follow", base = "HEX"})
declare("msmq.extensionheader.flags.dl", "bool", "DL, a DeadLetterHeader is present", {doc = "a DeadLetterHeader is present", mask = 1, width = 8})
declare("msmq.extensionheader.flags.sq", "bool", "SQ, a SubqueueHeader is present", {doc = "a SubqueueHeader is present", mask = 2, width = 8})
declare("msmq.extensionheader.flags.x2", "bool", "X2, unused", {doc = "unused", mask = 4, width = 8})
declare("msmq.extensionheader.flags.di", "bool", "DI, the dead-letter queue is invalid", {doc = "the dead-letter queue is invalid", mask = 8, width = 8})
declare("msmq.extensionheader.flags.ea", "bool", "EA, an ExtendedAddressHeader is present", {doc = "an ExtendedAddressHeader is present", mask = 16, width = 8})
declare("msmq.extensionheader.flags.x5", "bool", "X5, unused", {doc = "unused", mask = 32, width = 8})
declare("msmq.extensionheader.flags.x6", "bool", "X6, unused", {doc = "unused", mask = 64, width = 8})
declare("msmq.extensionheader.flags.x7", "bool", "X7, unused", {doc = "unused", mask = 128, width = 8})
declare("msmq.extensionheader.reserved", "bytes", "Reserved", {doc = "any value"})
structure({name = "ExtensionHeader", section = "[MS-MQRR] 2.2.5.2", least = 12, fixed = 12}, {Flags = {DL = {s = 0, w = 1}, SQ = {s = 1, w = 1}, X2 = {s = 2, w = 1}, DI = {s = 3, w = 1}, EA = {s = 4, w = 1}, X5 = {s = 5, w = 1}, X6 = {s = 6, w = 1}, X7 = {s = 7, w = 1}}}, {
  {n = "HeaderSize", p = "msmq.extensionheader.headersize", k = "u", z = 4},
  {n = "RemainingHeadersSize", p = "msmq.extensionheader.remainingheaderssize", k = "u", z = 4},
  {n = "Flags", p = "msmq.extensionheader.flags", k = "flags", z = 1, g = {{"msmq.extensionheader.flags.dl", 0, 1}, {"msmq.extensionheader.flags.sq", 1, 1}, {"msmq.extensionheader.flags.x2", 2, 1}, {"msmq.extensionheader.flags.di", 3, 1}, {"msmq.extensionheader.flags.ea", 4, 1}, {"msmq.extensionheader.flags.x5", 5, 1}, {"msmq.extensionheader.flags.x6", 6, 1}, {"msmq.extensionheader.flags.x7", 7, 1}}},
  {n = "Reserved", p = "msmq.extensionheader.reserved", k = "bytes", len = {k = "fixed", n = 3}},
})

declare("msmq.subqueueheader", "none", "SubqueueHeader", {doc = "[MS-MQRR] 2.2.5.3 The subqueue of a message and its moves."})
declare("msmq.subqueueheader.headersize", "uint32", "HeaderSize", {doc = "size of this header in bytes, 148", base = "DEC"})
declare("msmq.subqueueheader.flags", "uint32", "Flags", {doc = "the page gives the three parts no common name; this one is ours", base = "HEX"})
declare("msmq.subqueueheader.flags.tm", "bool", "TM, zero", {doc = "zero", mask = 1, width = 32})
declare("msmq.subqueueheader.flags.acknowledgementclass", "uint32", "AcknowledgementClass, acknowledgment class of the message, see MESSAGE_CLASS_VALUES", {doc = "acknowledgment class of the message, see MESSAGE_CLASS_VALUES", base = "HEX", mask = 131070, names = {[0] = "MQMSG_CLASS_NORMAL", [1] = "MQMSG_CLASS_REPORT", [2] = "MQMSG_CLASS_ACK_REACH_QUEUE", [255] = "MQMSG_CLASS_ORDER_ACK", [16384] = "MQMSG_CLASS_ACK_RECEIVE", [32768] = "MQMSG_CLASS_NACK_BAD_DST_Q", [32769] = "MQMSG_CLASS_NACK_DELETED", [32770] = "MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT", [32771] = "MQMSG_CLASS_NACK_Q_EXCEED_QUOTA", [32772] = "MQMSG_CLASS_NACK_ACCESS_DENIED", [32773] = "MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED", [32774] = "MQMSG_CLASS_NACK_BAD_SIGNATURE", [32775] = "MQMSG_CLASS_NACK_BAD_ENCRYPTION", [32777] = "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q", [32778] = "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG", [32779] = "MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER", [49152] = "MQMSG_CLASS_NACK_Q_DELETED", [49153] = "MQMSG_CLASS_NACK_Q_PURGED", [49154] = "MQMSG_CLASS_NACK_RECEIVE_TIMEOUT", [49156] = "MQMSG_CLASS_NACK_RECEIVE_REJECTED"}})
declare("msmq.subqueueheader.flags.reserved", "uint32", "Reserved, any value", {doc = "any value", base = "HEX", mask = 4294836224})
declare("msmq.subqueueheader.abortcounter", "uint32", "AbortCounter", {doc = "failed attempts in a row to read or move the message", base = "DEC"})
declare("msmq.subqueueheader.movecounter", "uint32", "MoveCounter", {doc = "how often the message was moved", base = "DEC"})
declare("msmq.subqueueheader.lastmovetime", "absolute_time", "LastMoveTime", {doc = "local time of the last move; 0: never moved"})
declare("msmq.subqueueheader.subqueuename", "bytes", "SubqueueName", {doc = "subqueue of the message: 32 WCHARs, filled up with zeros"})
declare("msmq.subqueueheader.targetsubqueuename", "bytes", "TargetSubqueueName", {doc = "subqueue that a pending move goes to: 32 WCHARs, filled up with zeros"})
structure({name = "SubqueueHeader", section = "[MS-MQRR] 2.2.5.3", least = 148, fixed = 148}, {Flags = {TM = {s = 0, w = 1}, AcknowledgementClass = {s = 1, w = 16}, Reserved = {s = 17, w = 15}}}, {
  {n = "HeaderSize", p = "msmq.subqueueheader.headersize", k = "u", z = 4},
  {n = "Flags", p = "msmq.subqueueheader.flags", k = "flags", z = 4, g = {{"msmq.subqueueheader.flags.tm", 0, 1}, {"msmq.subqueueheader.flags.acknowledgementclass", 1, 16}, {"msmq.subqueueheader.flags.reserved", 17, 15}}},
  {n = "AbortCounter", p = "msmq.subqueueheader.abortcounter", k = "u", z = 4},
  {n = "MoveCounter", p = "msmq.subqueueheader.movecounter", k = "u", z = 4},
  {n = "LastMoveTime", p = "msmq.subqueueheader.lastmovetime", k = "u", z = 4},
  {n = "SubqueueName", p = "msmq.subqueueheader.subqueuename", k = "bytes", len = {k = "fixed", n = 64}},
  {n = "TargetSubqueueName", p = "msmq.subqueueheader.targetsubqueuename", k = "bytes", len = {k = "fixed", n = 64}},
})

declare("msmq.deadletterheader", "none", "DeadLetterHeader", {doc = "[MS-MQRR] 2.2.5.4 The dead-letter queue that the application requested."})
declare("msmq.deadletterheader.headersize", "uint32", "HeaderSize", {doc = "size of this header in bytes, padding included", base = "DEC"})
declare("msmq.deadletterheader.deadletterpathname", "string", "DeadLetterPathName", {doc = "application's dead-letter queue, terminator not included"})
declare("msmq.deadletterheader.padding", "bytes", "Padding", {doc = "to a 4-byte boundary, zeros"})
structure({name = "DeadLetterHeader", section = "[MS-MQRR] 2.2.5.4", least = 6, extent = {path = {"HeaderSize"}, multiple = 1}}, {}, {
  {n = "HeaderSize", p = "msmq.deadletterheader.headersize", k = "u", z = 4},
  {n = "DeadLetterPathName", p = "msmq.deadletterheader.deadletterpathname", k = "text", len = {k = "terminated"}},
  {n = "Padding", p = "msmq.deadletterheader.padding", k = "bytes", len = {k = "rest"}},
})

declare("msmq.extendedaddressheader", "none", "ExtendedAddressHeader", {doc = "[MS-MQRR] 2.2.5.5 The address of the host that sent a message."})
declare("msmq.extendedaddressheader.headersize", "uint32", "HeaderSize", {doc = "size of this header in bytes, 28", base = "DEC"})
declare("msmq.extendedaddressheader.addresslength", "uint16", "AddressLength", {doc = "length of the address in Address, in bytes", base = "DEC"})
declare("msmq.extendedaddressheader.addresstype", "uint16", "AddressType", {doc = "kind of address; 0: ignore this header", base = "HEX", names = {[1] = "IP_ADDRESS_TYPE", [2] = "IP_RAS_ADDRESS_TYPE", [3] = "IPX_ADDRESS_TYPE", [5] = "FOREIGN_ADDRESS_TYPE", [6] = "IPV6_ADDRESS_TYPE", [0] = "no address, ignore this header"}})
declare("msmq.extendedaddressheader.addressscope", "uint32", "AddressScope", {doc = "scope of an IPv6 address, otherwise 0", base = "DEC"})
declare("msmq.extendedaddressheader.address", "bytes", "Address", {doc = "host that sent the message"})
structure({name = "ExtendedAddressHeader", section = "[MS-MQRR] 2.2.5.5", least = 28, fixed = 28}, {}, {
  {n = "HeaderSize", p = "msmq.extendedaddressheader.headersize", k = "u", z = 4},
  {n = "AddressLength", p = "msmq.extendedaddressheader.addresslength", k = "u", z = 2},
  {n = "AddressType", p = "msmq.extendedaddressheader.addresstype", k = "u", z = 2},
  {n = "AddressScope", p = "msmq.extendedaddressheader.addressscope", k = "u", z = 4},
  {n = "Address", p = "msmq.extendedaddressheader.address", k = "bytes", len = {k = "fixed", n = 16}},
})

declare("msmq.userheaderaddress", "none", "UserHeaderAddress", {doc = "[MS-MQRR] 2.2.5.1 The value of `UserHeader.QueueManagerAddress` in a remote read: the address of the sending host."})
declare("msmq.userheaderaddress.addresslength", "uint16", "AddressLength", {doc = "length of the address in bytes, even if Address has only its beginning", base = "DEC"})
declare("msmq.userheaderaddress.addresstype", "uint16", "AddressType", {doc = "kind of address", base = "HEX", names = {[1] = "IP_ADDRESS_TYPE", [2] = "IP_RAS_ADDRESS_TYPE", [3] = "IPX_ADDRESS_TYPE", [5] = "FOREIGN_ADDRESS_TYPE", [6] = "IPV6_ADDRESS_TYPE"}})
declare("msmq.userheaderaddress.addressscope", "uint32", "AddressScope", {doc = "scope of an IPv6 address, otherwise 0", base = "DEC"})
declare("msmq.userheaderaddress.address", "bytes", "Address", {doc = "as much of the address as fits"})
structure({name = "UserHeaderAddress", section = "[MS-MQRR] 2.2.5.1", least = 16, fixed = 16}, {}, {
  {n = "AddressLength", p = "msmq.userheaderaddress.addresslength", k = "u", z = 2},
  {n = "AddressType", p = "msmq.userheaderaddress.addresstype", k = "u", z = 2},
  {n = "AddressScope", p = "msmq.userheaderaddress.addressscope", k = "u", z = 4},
  {n = "Address", p = "msmq.userheaderaddress.address", k = "bytes", len = {k = "fixed", n = 8}},
})

declare("msmq.usermessage", "none", "UserMessage", {doc = "[MS-MQMQ] 2.2.20 A message: a packet of the binary protocol, or a message that was sent over HTTP ([MS-MQRR] 2.2.5.1)."})
structure({name = "UserMessage", section = "[MS-MQMQ] 2.2.20", least = 120, extent = {path = {"BaseHeader", "PacketSize"}, multiple = 1}}, {}, {
  {n = "BaseHeader", p = "msmq.baseheader", k = "struct", s = "BaseHeader"},
  {n = "UserHeader", p = "msmq.userheader", k = "struct", s = "UserHeader"},
  {n = "TransactionHeader", p = "msmq.transactionheader", k = "struct", s = "TransactionHeader", present = {numbers = {{"UserHeader", "Flags", "TH"}}}},
  {n = "SecurityHeader", p = "msmq.securityheader", k = "struct", s = "SecurityHeader", present = {numbers = {{"UserHeader", "Flags", "SH"}}}},
  {n = "MessagePropertiesHeader", p = "msmq.messagepropertiesheader", k = "struct", s = "MessagePropertiesHeader"},
  {n = "DebugHeader", p = "msmq.debugheader", k = "struct", s = "DebugHeader", present = {numbers = {{"BaseHeader", "Flags", "DH"}}}},
  {n = "SRMPEnvelopeHeader", p = "msmq.srmpenvelopeheader", k = "struct", s = "SRMPEnvelopeHeader", present = {numbers = {{"UserHeader", "Flags", "AH"}}}},
  {n = "CompoundMessageHeader", p = "msmq.compoundmessageheader", k = "struct", s = "CompoundMessageHeader", present = {numbers = {{"UserHeader", "Flags", "AH"}}}},
  {n = "SoapHeader", p = "msmq.soapheader", k = "struct", s = "SoapHeader", present = {numbers = {{"UserHeader", "Flags", "HH"}}}},
  {n = "MultiQueueFormatHeader", p = "msmq.multiqueueformatheader", k = "struct", s = "MultiQueueFormatHeader", present = {numbers = {{"UserHeader", "Flags", "MQ"}}}},
  {n = "ExtensionHeader", p = "msmq.extensionheader", k = "struct", s = "ExtensionHeader", present = {numbers = {}}},
  {n = "SubqueueHeader", p = "msmq.subqueueheader", k = "struct", s = "SubqueueHeader", present = {numbers = {{"ExtensionHeader", "Flags", "SQ"}}}},
  {n = "DeadLetterHeader", p = "msmq.deadletterheader", k = "struct", s = "DeadLetterHeader", present = {numbers = {{"ExtensionHeader", "Flags", "DL"}}}},
  {n = "ExtendedAddressHeader", p = "msmq.extendedaddressheader", k = "struct", s = "ExtendedAddressHeader", present = {numbers = {{"ExtensionHeader", "Flags", "EA"}}}},
  {n = "SessionHeader", p = "msmq.sessionheader", k = "struct", s = "SessionHeader", present = {numbers = {{"BaseHeader", "Flags", "SH"}}}, rival = {size = 12, own = 0, rest = 4, room = 16}, outside = true},
}, {
  {path = {"BaseHeader", "Flags", "PR"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-04", level = "must", words = "0 in a transactional message", when = {{path = {"UserHeader", "Flags", "TH"}, op = "==", value = 1}}},
  {path = {"MessagePropertiesHeader", "PrivacyLevel"}, op = "!=", value = 0, id = "MQMQ-2.2.20.6-06", level = "must", words = "1, 3 or 5, because EB is 1", when = {{path = {"SecurityHeader", "Flags", "EB"}, op = "==", value = 1}}},
  {path = {"MessagePropertiesHeader", "HashAlgorithm"}, op = "!=", value = 0, id = "MQMQ-2.2.19.3-43", level = "must", words = "one of 0x8001, 0x8002, 0x8003, 0x8004, 0x800c, 0x800e, because there is a signature", when = {{path = {"SecurityHeader", "SignatureSize"}, op = "!=", value = 0}}},
  {path = {"MessagePropertiesHeader", "HashAlgorithm"}, op = "!=", value = 0, id = "MQMQ-2.2.19.3-43", level = "must", words = "one of 0x8001, 0x8002, 0x8003, 0x8004, 0x800c, 0x800e, because there is a signature", when = {{path = {"MultiQueueFormatHeader", "Signature", "Size"}, op = "!=", value = 0}}},
  {path = {"UserHeader", "Flags", "AQ"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-41", level = "must", words = "0, because no acknowledgment is asked for", when = {{path = {"MessagePropertiesHeader", "Flags"}, op = "==", value = 0}}},
  {path = {"BaseHeader", "Flags", "IN"}, op = "==", value = 0, id = "MQMQ-2.2.20-02", level = "must", words = "0"},
  {path = {"UserHeader", "Flags", "TH"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-21", level = "must", words = "0 without TransactionHeader", when = {{path = {"TransactionHeader"}, op = "is absent"}}},
  {path = {"UserHeader", "Flags", "TH"}, op = "!=", value = 0, id = "MQMQ-2.2.19.2-22", level = "must", words = "1 with TransactionHeader", when = {{path = {"TransactionHeader"}, op = "is there"}}},
  {path = {"UserHeader", "Flags", "SH"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-19", level = "must", words = "0 without SecurityHeader", when = {{path = {"SecurityHeader"}, op = "is absent"}}},
  {path = {"UserHeader", "Flags", "SH"}, op = "!=", value = 0, id = "MQMQ-2.2.19.2-20", level = "must", words = "1 with SecurityHeader", when = {{path = {"SecurityHeader"}, op = "is there"}}},
  {path = {"BaseHeader", "Flags", "DH"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-09", level = "must", words = "0 without DebugHeader", when = {{path = {"DebugHeader"}, op = "is absent"}}},
  {path = {"BaseHeader", "Flags", "DH"}, op = "!=", value = 0, id = "MQMQ-2.2.19.1-09", level = "must", words = "1 with DebugHeader", when = {{path = {"DebugHeader"}, op = "is there"}}},
  {path = {"UserHeader", "Flags", "HH"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-34", level = "must", words = "0 without SoapHeader", when = {{path = {"SoapHeader"}, op = "is absent"}}},
  {path = {"UserHeader", "Flags", "HH"}, op = "!=", value = 0, id = "MQMQ-2.2.19.2-35", level = "must", words = "1 with SoapHeader", when = {{path = {"SoapHeader"}, op = "is there"}}},
  {path = {"UserHeader", "Flags", "MQ"}, op = "==", value = 0, id = "MQMQ-2.2.19.2-27", level = "must", words = "0 without MultiQueueFormatHeader", when = {{path = {"MultiQueueFormatHeader"}, op = "is absent"}}},
  {path = {"UserHeader", "Flags", "MQ"}, op = "!=", value = 0, id = "MQMQ-2.2.19.2-28", level = "must", words = "1 with MultiQueueFormatHeader", when = {{path = {"MultiQueueFormatHeader"}, op = "is there"}}},
  {path = {"BaseHeader", "Flags", "SH"}, op = "==", value = 0, id = "MQMQ-2.2.20-11", level = "must", words = "0 without SessionHeader", when = {{path = {"SessionHeader"}, op = "is absent"}}},
  {path = {"BaseHeader", "Flags", "SH"}, op = "!=", value = 0, id = "MQMQ-2.2.20-11", level = "must", words = "1 with SessionHeader", when = {{path = {"SessionHeader"}, op = "is there"}}},
  {path = {"BaseHeader", "Flags"}, op = "==", value = 0, id = "MQQB-2.2.4-01", level = "must", words = "0", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255}}},
  {path = {"UserHeader", "Flags"}, op = "without bits", value = 4292862879, id = "MQQB-2.2.4-03", level = "must", words = "without bits outside 0x201c60", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255}}},
  {path = {"UserHeader", "Flags", "DQ"}, op = "in", value = {[3] = true, [7] = true}, id = "MQQB-2.2.4-04", level = "must", words = "one of 3, 7", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255}}},
  {path = {"MessagePropertiesHeader", "MessageSize"}, op = "==", value = 36, id = "MQQB-2.2.4-09", level = "must", words = "0x24", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255}}},
  {path = {"MessagePropertiesHeader", "Flags"}, op = "==", value = 0, id = "MQQB-2.2.4-10", level = "must", words = "0", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255}}},
  {path = {"MessagePropertiesHeader", "BodyType"}, op = "==", value = 0, id = "MQQB-2.2.4-12", level = "must", words = "0", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255}}},
  {path = {"MessagePropertiesHeader", "PrivacyLevel"}, op = "==", value = 0, id = "MQQB-3.1.7.17-01", level = "must", words = "0", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255}}},
  {path = {"UserHeader", "Flags", "DM"}, op = "==", value = 0, id = "MQQB-3.1.5.8.9-02", level = "must", words = "0, because a report is express", when = {{path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 1}, {path = {"UserHeader", "Flags", "DQ"}, op = "==", value = 5}}},
})

declare("msmq.messagepacket", "none", "MessagePacket", {doc = "[MS-MQRR] 2.2.5 A message and the headers that follow it in a remote read."})
structure({name = "MessagePacket", section = "[MS-MQRR] 2.2.5", least = 120}, {}, {
  {n = "UserMessage", p = "msmq.usermessage", k = "struct", s = "UserMessage"},
  {n = "ExtensionHeader", p = "msmq.extensionheader", k = "struct", s = "ExtensionHeader", present = {numbers = {}}},
  {n = "SubqueueHeader", p = "msmq.subqueueheader", k = "struct", s = "SubqueueHeader", present = {numbers = {{"ExtensionHeader", "Flags", "SQ"}}}},
  {n = "DeadLetterHeader", p = "msmq.deadletterheader", k = "struct", s = "DeadLetterHeader", present = {numbers = {{"ExtensionHeader", "Flags", "DL"}}}},
  {n = "ExtendedAddressHeader", p = "msmq.extendedaddressheader", k = "struct", s = "ExtendedAddressHeader", present = {numbers = {{"ExtensionHeader", "Flags", "EA"}}}},
})

declare("msmq.internalheader", "none", "InternalHeader", {doc = "[MS-MQQB] 2.2.1 The type of an internal packet."})
declare("msmq.internalheader.reserved", "uint16", "Reserved", {doc = "zero when sent", base = "DEC"})
declare("msmq.internalheader.flags", "uint16", "Flags", {doc = "type and state", base = "HEX"})
declare("msmq.internalheader.flags.pt", "uint16", "PT, packet type", {doc = "packet type", base = "DEC", mask = 15, names = {[1] = "SessionAck", [2] = "EstablishConnection", [3] = "ConnectionParameters"}})
declare("msmq.internalheader.flags.cs", "bool", "CS, connection refused", {doc = "connection refused", mask = 16, width = 16})
declare("msmq.internalheader.flags.x5", "bool", "X5, reserved", {doc = "reserved", mask = 32, width = 16})
declare("msmq.internalheader.flags.x6", "bool", "X6, reserved", {doc = "reserved", mask = 64, width = 16})
declare("msmq.internalheader.flags.x7", "bool", "X7, reserved", {doc = "reserved", mask = 128, width = 16})
declare("msmq.internalheader.flags.x8", "bool", "X8, reserved", {doc = "reserved", mask = 256, width = 16})
declare("msmq.internalheader.flags.x9", "bool", "X9, reserved", {doc = "reserved", mask = 512, width = 16})
declare("msmq.internalheader.flags.x10", "bool", "X10, reserved", {doc = "reserved", mask = 1024, width = 16})
declare("msmq.internalheader.flags.x11", "bool", "X11, reserved", {doc = "reserved", mask = 2048, width = 16})
declare("msmq.internalheader.flags.x12", "bool", "X12, reserved", {doc = "reserved", mask = 4096, width = 16})
declare("msmq.internalheader.flags.x13", "bool", "X13, reserved", {doc = "reserved", mask = 8192, width = 16})
declare("msmq.internalheader.flags.x14", "bool", "X14, reserved", {doc = "reserved", mask = 16384, width = 16})
declare("msmq.internalheader.flags.x15", "bool", "X15, reserved", {doc = "reserved", mask = 32768, width = 16})
structure({name = "InternalHeader", section = "[MS-MQQB] 2.2.1", least = 4, fixed = 4}, {Flags = {PT = {s = 0, w = 4}, CS = {s = 4, w = 1}, X5 = {s = 5, w = 1}, X6 = {s = 6, w = 1}, X7 = {s = 7, w = 1}, X8 = {s = 8, w = 1}, X9 = {s = 9, w = 1}, X10 = {s = 10, w = 1}, X11 = {s = 11, w = 1}, X12 = {s = 12, w = 1}, X13 = {s = 13, w = 1}, X14 = {s = 14, w = 1}, X15 = {s = 15, w = 1}}}, {
  {n = "Reserved", p = "msmq.internalheader.reserved", k = "u", z = 2},
  {n = "Flags", p = "msmq.internalheader.flags", k = "flags", z = 2, g = {{"msmq.internalheader.flags.pt", 0, 4}, {"msmq.internalheader.flags.cs", 4, 1}, {"msmq.internalheader.flags.x5", 5, 1}, {"msmq.internalheader.flags.x6", 6, 1}, {"msmq.internalheader.flags.x7", 7, 1}, {"msmq.internalheader.flags.x8", 8, 1}, {"msmq.internalheader.flags.x9", 9, 1}, {"msmq.internalheader.flags.x10", 10, 1}, {"msmq.internalheader.flags.x11", 11, 1}, {"msmq.internalheader.flags.x12", 12, 1}, {"msmq.internalheader.flags.x13", 13, 1}, {"msmq.internalheader.flags.x14", 14, 1}, {"msmq.internalheader.flags.x15", 15, 1}}},
}, {
  {path = {"Reserved"}, op = "==", value = 0, id = "MQQB-2.2.1-01", level = "must", words = "0"},
  {path = {"Flags", "PT"}, op = "in", value = {[1] = true, [2] = true, [3] = true}, id = "MQQB-2.2.1-03", level = "must", words = "one of 1, 2, 3"},
  {path = {"Flags", "CS"}, op = "==", value = 0, id = "MQQB-2.2.1-05", level = "must", words = "0 unless PT is 2 or 3", when = {{path = {"Flags", "PT"}, op = "not in", value = {[2] = true, [3] = true}}}},
  {path = {"Flags", "X5"}, op = "==", value = 0, id = "MQQB-2.2.1-08", level = "should", words = "0"},
  {path = {"Flags", "X6"}, op = "==", value = 0, id = "MQQB-2.2.1-10", level = "should", words = "0"},
  {path = {"Flags", "X7"}, op = "==", value = 0, id = "MQQB-2.2.1-12", level = "should", words = "0"},
  {path = {"Flags", "X8"}, op = "==", value = 0, id = "MQQB-2.2.1-14", level = "should", words = "0"},
  {path = {"Flags", "X9"}, op = "==", value = 0, id = "MQQB-2.2.1-16", level = "should", words = "0"},
  {path = {"Flags", "X10"}, op = "==", value = 0, id = "MQQB-2.2.1-18", level = "should", words = "0"},
  {path = {"Flags", "X11"}, op = "==", value = 0, id = "MQQB-2.2.1-20", level = "should", words = "0"},
  {path = {"Flags", "X12"}, op = "==", value = 0, id = "MQQB-2.2.1-22", level = "should", words = "0"},
  {path = {"Flags", "X13"}, op = "==", value = 0, id = "MQQB-2.2.1-24", level = "should", words = "0"},
  {path = {"Flags", "X14"}, op = "==", value = 0, id = "MQQB-2.2.1-26", level = "should", words = "0"},
  {path = {"Flags", "X15"}, op = "==", value = 0, id = "MQQB-2.2.1-28", level = "should", words = "0"},
})

declare("msmq.connectionparametersheader", "none", "ConnectionParametersHeader", {doc = "[MS-MQQB] 2.2.2.1 Timeouts and window of a session."})
declare("msmq.connectionparametersheader.recoverableacktimeout", "uint32", "RecoverableAckTimeout", {doc = "milliseconds before a recoverable message is acknowledged, 500 to 120000", base = "DEC", unit = "ms"})
declare("msmq.connectionparametersheader.acktimeout", "uint32", "AckTimeout", {doc = "milliseconds without acknowledgment before the session closes, 20000 to 120000", base = "DEC", unit = "ms"})
declare("msmq.connectionparametersheader.reserved", "uint16", "Reserved", {doc = "zero when sent", base = "DEC"})
declare("msmq.connectionparametersheader.windowsize", "uint16", "WindowSize", {doc = "unacknowledged packets allowed", base = "DEC"})
structure({name = "ConnectionParametersHeader", section = "[MS-MQQB] 2.2.2.1", least = 12, fixed = 12}, {}, {
  {n = "RecoverableAckTimeout", p = "msmq.connectionparametersheader.recoverableacktimeout", k = "u", z = 4},
  {n = "AckTimeout", p = "msmq.connectionparametersheader.acktimeout", k = "u", z = 4},
  {n = "Reserved", p = "msmq.connectionparametersheader.reserved", k = "u", z = 2},
  {n = "WindowSize", p = "msmq.connectionparametersheader.windowsize", k = "u", z = 2},
}, {
  {path = {"Reserved"}, op = "==", value = 0, id = "MQQB-2.2.2.1-01", level = "must", words = "0"},
  {path = {"RecoverableAckTimeout"}, op = "within", value = {500, 120000}, id = "MQQB-2.2.2.1-03", level = "must", words = "0x1f4 to 0x1d4c0"},
  {path = {"AckTimeout"}, op = "within", value = {20000, 120000}, id = "MQQB-2.2.2.1-04", level = "must", words = "0x4e20 to 0x1d4c0"},
})

declare("msmq.connectionparameters", "none", "ConnectionParameters", {doc = "[MS-MQQB] 2.2.2 Proposes or confirms the parameters of a session."})
structure({name = "ConnectionParameters", section = "[MS-MQQB] 2.2.2", least = 32, fixed = 32, extent = {path = {"BaseHeader", "PacketSize"}, multiple = 1}}, {}, {
  {n = "BaseHeader", p = "msmq.baseheader", k = "struct", s = "BaseHeader"},
  {n = "InternalHeader", p = "msmq.internalheader", k = "struct", s = "InternalHeader"},
  {n = "ConnectionParametersHeader", p = "msmq.connectionparametersheader", k = "struct", s = "ConnectionParametersHeader"},
}, {
  {path = {"BaseHeader", "Flags", "IN"}, op = "==", value = 1, id = "MQMQ-2.2.19.1-05", level = "must", words = "1"},
  {path = {"BaseHeader", "Flags", "DH"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-08", level = "must", words = "0"},
  {path = {"BaseHeader", "TimeToReachQueue"}, op = "==", value = 4294967295, id = "MQMQ-2.2.19.1-36", level = "must", words = "0xffffffff"},
  {path = {"InternalHeader", "Flags", "PT"}, op = "==", value = 3, id = "MQQB-2.2.2-02", level = "must", words = "3"},
  {path = {"BaseHeader", "Flags", "SH"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-07", level = "must", words = "0 without SessionHeader"},
  {path = {"InternalHeader", "Flags", "CS"}, op = "==", value = 0, id = "MQQB-3.1.5.3.2-02", level = "must", words = "0: only the answer to an EstablishConnection can refuse a session"},
})

declare("msmq.establishconnectionheader", "none", "EstablishConnectionHeader", {doc = "[MS-MQQB] 2.2.3.1 The queue managers of a session request."})
declare("msmq.establishconnectionheader.clientguid", "guid", "ClientGuid", {doc = "queue manager of the initiator"})
declare("msmq.establishconnectionheader.serverguid", "guid", "ServerGuid", {doc = "queue manager of the acceptor; null in a request by direct format name"})
declare("msmq.establishconnectionheader.timestamp", "uint32", "TimeStamp", {doc = "milliseconds since the initiator's system started", base = "DEC", unit = "ms"})
declare("msmq.establishconnectionheader.operatingsystem", "uint16", "OperatingSystem", {doc = "facts about the request", base = "HEX"})
declare("msmq.establishconnectionheader.operatingsystem.re", "uint16", "RE, 0x10", {doc = "0x10", base = "DEC", mask = 255})
declare("msmq.establishconnectionheader.operatingsystem.se", "uint16", "SE, no ping was sent", {doc = "no ping was sent", base = "DEC", mask = 256, names = {[0] = "a ping was sent", [1] = "no ping was sent"}})
declare("msmq.establishconnectionheader.operatingsystem.os", "uint16", "OS, initiator runs a server system", {doc = "initiator runs a server system", base = "DEC", mask = 512, names = {[0] = "no server system", [1] = "server system"}})
declare("msmq.establishconnectionheader.operatingsystem.qs", "bool", "QS, guaranteed quality of service", {doc = "guaranteed quality of service", mask = 1024, width = 16})
declare("msmq.establishconnectionheader.operatingsystem.x11", "bool", "X11, unused", {doc = "unused", mask = 2048, width = 16})
declare("msmq.establishconnectionheader.operatingsystem.x12", "bool", "X12, unused", {doc = "unused", mask = 4096, width = 16})
declare("msmq.establishconnectionheader.operatingsystem.x13", "bool", "X13, unused", {doc = "unused", mask = 8192, width = 16})
declare("msmq.establishconnectionheader.operatingsystem.x14", "bool", "X14, unused", {doc = "unused", mask = 16384, width = 16})
declare("msmq.establishconnectionheader.operatingsystem.x15", "bool", "X15, unused", {doc = "unused", mask = 32768, width = 16})
declare("msmq.establishconnectionheader.reserved", "uint16", "Reserved", {doc = "zero when sent", base = "DEC"})
declare("msmq.establishconnectionheader.padding", "bytes", "Padding", {doc = "0x5A each in a response, any value in a request"})
structure({name = "EstablishConnectionHeader", section = "[MS-MQQB] 2.2.3.1", least = 552, fixed = 552}, {OperatingSystem = {RE = {s = 0, w = 8}, SE = {s = 8, w = 1}, OS = {s = 9, w = 1}, QS = {s = 10, w = 1}, X11 = {s = 11, w = 1}, X12 = {s = 12, w = 1}, X13 = {s = 13, w = 1}, X14 = {s = 14, w = 1}, X15 = {s = 15, w = 1}}}, {
  {n = "ClientGuid", p = "msmq.establishconnectionheader.clientguid", k = "guid"},
  {n = "ServerGuid", p = "msmq.establishconnectionheader.serverguid", k = "guid"},
  {n = "TimeStamp", p = "msmq.establishconnectionheader.timestamp", k = "u", z = 4},
  {n = "OperatingSystem", p = "msmq.establishconnectionheader.operatingsystem", k = "flags", z = 2, g = {{"msmq.establishconnectionheader.operatingsystem.re", 0, 8}, {"msmq.establishconnectionheader.operatingsystem.se", 8, 1}, {"msmq.establishconnectionheader.operatingsystem.os", 9, 1}, {"msmq.establishconnectionheader.operatingsystem.qs", 10, 1}, {"msmq.establishconnectionheader.operatingsystem.x11", 11, 1}, {"msmq.establishconnectionheader.operatingsystem.x12", 12, 1}, {"msmq.establishconnectionheader.operatingsystem.x13", 13, 1}, {"msmq.establishconnectionheader.operatingsystem.x14", 14, 1}, {"msmq.establishconnectionheader.operatingsystem.x15", 15, 1}}},
  {n = "Reserved", p = "msmq.establishconnectionheader.reserved", k = "u", z = 2},
  {n = "Padding", p = "msmq.establishconnectionheader.padding", k = "bytes", len = {k = "fixed", n = 512}},
}, {
  {path = {"OperatingSystem", "RE"}, op = "==", value = 16, id = "MQQB-2.2.3.1-05", level = "must", words = "0x10"},
  {path = {"OperatingSystem", "X11"}, op = "==", value = 0, id = "MQQB-2.2.3.1-11", level = "should", words = "0"},
  {path = {"OperatingSystem", "X12"}, op = "==", value = 0, id = "MQQB-2.2.3.1-13", level = "should", words = "0"},
  {path = {"OperatingSystem", "X13"}, op = "==", value = 0, id = "MQQB-2.2.3.1-15", level = "should", words = "0"},
  {path = {"OperatingSystem", "X14"}, op = "==", value = 0, id = "MQQB-2.2.3.1-17", level = "should", words = "0"},
  {path = {"OperatingSystem", "X15"}, op = "==", value = 0, id = "MQQB-2.2.3.1-19", level = "should", words = "0"},
  {path = {"Reserved"}, op = "==", value = 0, id = "MQQB-2.2.3.1-21", level = "must", words = "0"},
})

declare("msmq.establishconnection", "none", "EstablishConnection", {doc = "[MS-MQQB] 2.2.3 Requests a session, or answers the request."})
structure({name = "EstablishConnection", section = "[MS-MQQB] 2.2.3", least = 572, fixed = 572, extent = {path = {"BaseHeader", "PacketSize"}, multiple = 1}}, {}, {
  {n = "BaseHeader", p = "msmq.baseheader", k = "struct", s = "BaseHeader"},
  {n = "InternalHeader", p = "msmq.internalheader", k = "struct", s = "InternalHeader"},
  {n = "EstablishConnectionHeader", p = "msmq.establishconnectionheader", k = "struct", s = "EstablishConnectionHeader"},
}, {
  {path = {"BaseHeader", "Flags", "IN"}, op = "==", value = 1, id = "MQMQ-2.2.19.1-05", level = "must", words = "1"},
  {path = {"BaseHeader", "Flags", "DH"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-08", level = "must", words = "0"},
  {path = {"BaseHeader", "TimeToReachQueue"}, op = "==", value = 4294967295, id = "MQMQ-2.2.19.1-36", level = "must", words = "0xffffffff"},
  {path = {"InternalHeader", "Flags", "PT"}, op = "==", value = 2, id = "MQQB-2.2.3-02", level = "must", words = "2"},
  {path = {"BaseHeader", "Flags", "SH"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-07", level = "must", words = "0 without SessionHeader"},
})

declare("msmq.orderackbody", "none", "OrderAckBody", {doc = "[MS-MQQB] 2.2.4.1 Identifies the transactional message that arrived in order; the body of an OrderAck."})
declare("msmq.orderackbody.txsequencenumber", "uint32", "TxSequenceNumber", {doc = "its number in the sequence, from 1", base = "DEC"})
declare("msmq.orderackbody.txprevioussequencenumber", "uint32", "TxPreviousSequenceNumber", {doc = "TxSequenceNumber - 1", base = "DEC"})
declare("msmq.orderackbody.reserved", "bytes", "Reserved", {doc = "zeros"})
structure({name = "OrderAckBody", section = "[MS-MQQB] 2.2.4.1", least = 36, fixed = 36}, {}, {
  {n = "TxSequenceID", p = "msmq.txsequenceid", k = "struct", s = "TxSequenceID"},
  {n = "TxSequenceNumber", p = "msmq.orderackbody.txsequencenumber", k = "u", z = 4},
  {n = "TxPreviousSequenceNumber", p = "msmq.orderackbody.txprevioussequencenumber", k = "u", z = 4},
  {n = "Reserved", p = "msmq.orderackbody.reserved", k = "bytes", len = {k = "fixed", n = 20}},
}, {
  {path = {"TxSequenceNumber"}, op = "within", value = {1, 4294967295}, id = "MQQB-2.2.4.1-06", level = "must", words = "1 to 0xffffffff"},
  {path = {"TxPreviousSequenceNumber"}, op = "within", value = {0, 4294967294}, id = "MQQB-2.2.4.1-07", level = "must", words = "0 to 0xfffffffe"},
})

declare("msmq.orderack", "none", "OrderAck", {doc = "[MS-MQQB] 2.2.4 Acknowledges transactional messages that arrived in order."})
structure({name = "OrderAck", section = "[MS-MQQB] 2.2.4", least = 120, extent = {path = {"BaseHeader", "PacketSize"}, multiple = 1}}, {}, {
  {n = "BaseHeader", p = "msmq.baseheader", k = "struct", s = "BaseHeader"},
  {n = "UserHeader", p = "msmq.userheader", k = "struct", s = "UserHeader"},
  {n = "MessagePropertiesHeader", p = "msmq.messagepropertiesheader", k = "struct", s = "MessagePropertiesHeader"},
}, {
  {path = {"BaseHeader", "Flags"}, op = "==", value = 0, id = "MQQB-2.2.4-01", level = "must", words = "0"},
  {path = {"UserHeader", "Flags"}, op = "without bits", value = 4292862879, id = "MQQB-2.2.4-03", level = "must", words = "without bits outside 0x201c60"},
  {path = {"UserHeader", "Flags", "DQ"}, op = "in", value = {[3] = true, [7] = true}, id = "MQQB-2.2.4-04", level = "must", words = "one of 3, 7"},
  {path = {"MessagePropertiesHeader", "MessageSize"}, op = "==", value = 36, id = "MQQB-2.2.4-09", level = "must", words = "0x24"},
  {path = {"MessagePropertiesHeader", "Flags"}, op = "==", value = 0, id = "MQQB-2.2.4-10", level = "must", words = "0"},
  {path = {"MessagePropertiesHeader", "BodyType"}, op = "==", value = 0, id = "MQQB-2.2.4-12", level = "must", words = "0"},
  {path = {"MessagePropertiesHeader", "PrivacyLevel"}, op = "==", value = 0, id = "MQQB-3.1.7.17-01", level = "must", words = "0"},
  {path = {"MessagePropertiesHeader", "MessageClass"}, op = "==", value = 255, id = "MQQB-2.2.4-11", level = "must", words = "0xff"},
})

declare("msmq.finalackbody", "none", "FinalAckBody", {doc = "[MS-MQQB] 2.2.5.1 Identifies the transactional message that was received or rejected; the body of a FinalAck."})
declare("msmq.finalackbody.txsequencenumber", "uint32", "TxSequenceNumber", {doc = "its number in the sequence, from 1", base = "DEC"})
declare("msmq.finalackbody.txprevioussequencenumber", "uint32", "TxPreviousSequenceNumber", {doc = "number of the message received before it", base = "DEC"})
declare("msmq.finalackbody.sourceguid", "guid", "SourceGUID", {doc = "queue manager that sent the message"})
declare("msmq.finalackbody.messageid", "uint32", "MessageID", {doc = "number of the message", base = "DEC"})
structure({name = "FinalAckBody", section = "[MS-MQQB] 2.2.5.1", least = 36, fixed = 36}, {}, {
  {n = "TxSequenceID", p = "msmq.txsequenceid", k = "struct", s = "TxSequenceID"},
  {n = "TxSequenceNumber", p = "msmq.finalackbody.txsequencenumber", k = "u", z = 4},
  {n = "TxPreviousSequenceNumber", p = "msmq.finalackbody.txprevioussequencenumber", k = "u", z = 4},
  {n = "SourceGUID", p = "msmq.finalackbody.sourceguid", k = "guid"},
  {n = "MessageID", p = "msmq.finalackbody.messageid", k = "u", z = 4},
}, {
  {path = {"TxSequenceNumber"}, op = "within", value = {1, 4294967295}, id = "MQQB-2.2.5.1-04", level = "must", words = "1 to 0xffffffff"},
  {path = {"TxPreviousSequenceNumber"}, op = "within", value = {0, 4294967294}, id = "MQQB-2.2.5.1-05", level = "must", words = "0 to 0xfffffffe"},
})

declare("msmq.finalack", "none", "FinalAck", {doc = "[MS-MQQB] 2.2.5 Reports the final result of a transactional message."})
structure({name = "FinalAck", section = "[MS-MQQB] 2.2.5", least = 120, extent = {path = {"BaseHeader", "PacketSize"}, multiple = 1}}, {}, {
  {n = "BaseHeader", p = "msmq.baseheader", k = "struct", s = "BaseHeader"},
  {n = "UserHeader", p = "msmq.userheader", k = "struct", s = "UserHeader"},
  {n = "MessagePropertiesHeader", p = "msmq.messagepropertiesheader", k = "struct", s = "MessagePropertiesHeader"},
}, {
  {path = {"UserHeader", "Flags", "DM"}, op = "==", value = 1, id = "MQQB-2.2.5-03", level = "must", words = "1"},
  {path = {"BaseHeader", "Flags"}, op = "==", value = 0, id = "MQQB-2.2.5-01", level = "must", words = "0"},
  {path = {"UserHeader", "Flags"}, op = "without bits", value = 4292862879, id = "MQQB-2.2.5-04", level = "must", words = "without bits outside 0x201c60"},
  {path = {"UserHeader", "Flags", "DQ"}, op = "in", value = {[3] = true, [7] = true}, id = "MQQB-2.2.5-05", level = "must", words = "one of 3, 7"},
  {path = {"MessagePropertiesHeader", "MessageSize"}, op = "==", value = 36, id = "MQQB-2.2.5-10", level = "must", words = "0x24"},
  {path = {"MessagePropertiesHeader", "Flags"}, op = "==", value = 0, id = "MQQB-2.2.5-11", level = "must", words = "0"},
  {path = {"MessagePropertiesHeader", "BodyType"}, op = "==", value = 0, id = "MQQB-2.2.5-14", level = "must", words = "0"},
  {path = {"MessagePropertiesHeader", "PrivacyLevel"}, op = "==", value = 0, id = "MQQB-3.1.7.17-01", level = "must", words = "0"},
  {path = {"MessagePropertiesHeader", "MessageClass"}, op = "in", value = {[16384] = true, [32768] = true, [32771] = true, [32772] = true, [32774] = true, [32775] = true, [32777] = true, [32779] = true, [49152] = true, [49153] = true, [49154] = true}, id = "MQQB-2.2.5-13", level = "must", words = "one of 0x4000, 0x8009, 0x8000, 0x8004, 0x8007, 0x800b, 0x8006, 0x8003, 0xc000, 0xc001, 0xc002"},
})

declare("msmq.sessionack", "none", "SessionAck", {doc = "[MS-MQQB] 2.2.6 Acknowledges messages received on a session."})
structure({name = "SessionAck", section = "[MS-MQQB] 2.2.6", least = 36, fixed = 36, extent = {path = {"BaseHeader", "PacketSize"}, multiple = 1}}, {}, {
  {n = "BaseHeader", p = "msmq.baseheader", k = "struct", s = "BaseHeader"},
  {n = "InternalHeader", p = "msmq.internalheader", k = "struct", s = "InternalHeader"},
  {n = "SessionHeader", p = "msmq.sessionheader", k = "struct", s = "SessionHeader"},
}, {
  {path = {"BaseHeader", "Flags", "IN"}, op = "==", value = 1, id = "MQMQ-2.2.19.1-05", level = "must", words = "1"},
  {path = {"BaseHeader", "Flags", "DH"}, op = "==", value = 0, id = "MQMQ-2.2.19.1-08", level = "must", words = "0"},
  {path = {"BaseHeader", "TimeToReachQueue"}, op = "==", value = 4294967295, id = "MQMQ-2.2.19.1-36", level = "must", words = "0xffffffff"},
  {path = {"BaseHeader", "Flags", "SH"}, op = "==", value = 1, id = "MQQB-2.2.6-02", level = "must", words = "1"},
  {path = {"InternalHeader", "Flags", "PT"}, op = "==", value = 1, id = "MQQB-2.2.6-03", level = "must", words = "1"},
})

declare("msmq.pingpacket", "none", "PingPacket", {doc = "[MS-MQQB] 2.2.7 Asks over UDP whether a session would be accepted, or answers the question."})
declare("msmq.pingpacket.flags", "uint16", "Flags", {doc = "type of initiator and answer", base = "HEX"})
declare("msmq.pingpacket.flags.rc", "bool", "RC, initiator is neither WinServer nor WinEnt", {doc = "initiator is neither WinServer nor WinEnt", mask = 1, width = 16})
declare("msmq.pingpacket.flags.rf", "bool", "RF, a session would be refused", {doc = "a session would be refused", mask = 2, width = 16})
declare("msmq.pingpacket.flags.x", "uint16", "X, unused, any value", {doc = "unused, any value", base = "HEX", mask = 65532})
declare("msmq.pingpacket.signature", "uint16", "Signature", {doc = "0x5548", base = "HEX"})
declare("msmq.pingpacket.cookie", "uint32", "Cookie", {doc = "correlates response and request", base = "HEX"})
declare("msmq.pingpacket.qmguid", "guid", "QMGuid", {doc = "queue manager that made this packet"})
structure({name = "PingPacket", section = "[MS-MQQB] 2.2.7", least = 24, fixed = 24}, {Flags = {RC = {s = 0, w = 1}, RF = {s = 1, w = 1}, X = {s = 2, w = 14}}}, {
  {n = "Flags", p = "msmq.pingpacket.flags", k = "flags", z = 2, g = {{"msmq.pingpacket.flags.rc", 0, 1}, {"msmq.pingpacket.flags.rf", 1, 1}, {"msmq.pingpacket.flags.x", 2, 14}}},
  {n = "Signature", p = "msmq.pingpacket.signature", k = "u", z = 2},
  {n = "Cookie", p = "msmq.pingpacket.cookie", k = "u", z = 4},
  {n = "QMGuid", p = "msmq.pingpacket.qmguid", k = "guid"},
}, {
  {path = {"Signature"}, op = "==", value = 21832, id = "MQQB-2.2.7-22", level = "must", words = "0x5548"},
})

declare("msmq.publickeyblob", "none", "PUBLICKEYBLOB", {doc = "[MS-MQQB] 2.4.1 A public RSA key for key exchange."})
declare("msmq.publickeyblob.btype", "uint8", "bType", {doc = "0x06, a public key; the page prints values only, so this name is ours", base = "DEC"})
declare("msmq.publickeyblob.bversion", "uint8", "bVersion", {doc = "0x02; the name is ours", base = "DEC"})
declare("msmq.publickeyblob.reserved", "uint16", "reserved", {doc = "zero; the name is ours", base = "DEC"})
declare("msmq.publickeyblob.aikeyalg", "uint32", "aiKeyAlg", {doc = "CALG_RSA_KEYX; the name is ours", base = "HEX", names = {[9216] = "CALG_RSA_SIGN", [41984] = "CALG_RSA_KEYX", [26114] = "CALG_RC2", [26126] = "CALG_AES_128", [26127] = "CALG_AES_192", [26128] = "CALG_AES_256", [26625] = "CALG_RC4", [32769] = "CALG_MD2", [32770] = "CALG_MD4", [32771] = "CALG_MD5", [32772] = "CALG_SHA1", [32780] = "CALG_SHA_256", [32782] = "CALG_SHA_512"}})
declare("msmq.publickeyblob.magic", "bytes", "magic", {doc = "\034RSA1\034; the name is ours"})
declare("msmq.publickeyblob.bitlen", "uint32", "bitLen", {doc = "length of modulus in bits", base = "DEC"})
declare("msmq.publickeyblob.pubexp", "uint32", "pubExp", {doc = "e of the key pair", base = "DEC"})
declare("msmq.publickeyblob.modulus", "bytes", "modulus", {doc = "n of the key pair, little-endian"})
structure({name = "PUBLICKEYBLOB", section = "[MS-MQQB] 2.4.1", least = 20}, {}, {
  {n = "bType", p = "msmq.publickeyblob.btype", k = "u", z = 1},
  {n = "bVersion", p = "msmq.publickeyblob.bversion", k = "u", z = 1},
  {n = "reserved", p = "msmq.publickeyblob.reserved", k = "u", z = 2},
  {n = "aiKeyAlg", p = "msmq.publickeyblob.aikeyalg", k = "u", z = 4},
  {n = "magic", p = "msmq.publickeyblob.magic", k = "bytes", len = {k = "fixed", n = 4}},
  {n = "bitLen", p = "msmq.publickeyblob.bitlen", k = "u", z = 4},
  {n = "pubExp", p = "msmq.publickeyblob.pubexp", k = "u", z = 4},
  {n = "modulus", p = "msmq.publickeyblob.modulus", k = "bytes", len = {k = "rest"}},
}, {
  {path = {"pubExp"}, op = "with bits", value = 1, id = "MQQB-2.4.1-02", level = "must", words = "an odd number of 3 or more"},
  {path = {"pubExp"}, op = "!=", value = 1, id = "MQQB-2.4.1-02", level = "must", words = "an odd number of 3 or more"},
  {path = {"bType"}, op = "==", value = 6, id = "MQQB-2.4.1-05", level = "must", words = "6"},
  {path = {"bVersion"}, op = "==", value = 2, id = "MQQB-2.4.1-05", level = "must", words = "2"},
  {path = {"reserved"}, op = "==", value = 0, id = "MQQB-2.4.1-05", level = "must", words = "0"},
  {path = {"aiKeyAlg"}, op = "==", value = 41984, id = "MQQB-2.4.1-05", level = "must", words = "0xa400"},
})

declare("msmq.simpleblob", "none", "SIMPLEBLOB", {doc = "[MS-MQQB] 2.4.2 A session key, encrypted for its receiver."})
declare("msmq.simpleblob.btype", "uint8", "bType", {doc = "0x01, a session key; the page prints values only, so this name is ours", base = "DEC"})
declare("msmq.simpleblob.bversion", "uint8", "bVersion", {doc = "0x02; the name is ours", base = "DEC"})
declare("msmq.simpleblob.reserved", "uint16", "reserved", {doc = "zero; the name is ours", base = "DEC"})
declare("msmq.simpleblob.sessionkeyalgorithm", "uint32", "sessionKeyAlgorithm", {doc = "cipher that the key is for", base = "HEX", names = {[9216] = "CALG_RSA_SIGN", [41984] = "CALG_RSA_KEYX", [26114] = "CALG_RC2", [26126] = "CALG_AES_128", [26127] = "CALG_AES_192", [26128] = "CALG_AES_256", [26625] = "CALG_RC4", [32769] = "CALG_MD2", [32770] = "CALG_MD4", [32771] = "CALG_MD5", [32772] = "CALG_SHA1", [32780] = "CALG_SHA_256", [32782] = "CALG_SHA_512"}})
declare("msmq.simpleblob.aikeyalg", "uint32", "aiKeyAlg", {doc = "CALG_RSA_KEYX; the name is ours", base = "HEX", names = {[9216] = "CALG_RSA_SIGN", [41984] = "CALG_RSA_KEYX", [26114] = "CALG_RC2", [26126] = "CALG_AES_128", [26127] = "CALG_AES_192", [26128] = "CALG_AES_256", [26625] = "CALG_RC4", [32769] = "CALG_MD2", [32770] = "CALG_MD4", [32771] = "CALG_MD5", [32772] = "CALG_SHA1", [32780] = "CALG_SHA_256", [32782] = "CALG_SHA_512"}})
declare("msmq.simpleblob.encryptedkey", "bytes", "encryptedKey", {doc = "session key, encrypted with RSAES-PKCS1-v1_5, little-endian"})
structure({name = "SIMPLEBLOB", section = "[MS-MQQB] 2.4.2", least = 12}, {}, {
  {n = "bType", p = "msmq.simpleblob.btype", k = "u", z = 1},
  {n = "bVersion", p = "msmq.simpleblob.bversion", k = "u", z = 1},
  {n = "reserved", p = "msmq.simpleblob.reserved", k = "u", z = 2},
  {n = "sessionKeyAlgorithm", p = "msmq.simpleblob.sessionkeyalgorithm", k = "u", z = 4},
  {n = "aiKeyAlg", p = "msmq.simpleblob.aikeyalg", k = "u", z = 4},
  {n = "encryptedKey", p = "msmq.simpleblob.encryptedkey", k = "bytes", len = {k = "rest"}},
}, {
  {path = {"sessionKeyAlgorithm"}, op = "in", value = {[26114] = true, [26126] = true, [26127] = true, [26128] = true, [26625] = true}, id = "MQQB-2.4.2-01", level = "must", words = "one of 0x660e, 0x660f, 0x6610, 0x6602, 0x6801"},
  {path = {"bType"}, op = "==", value = 1, id = "MQQB-2.4.2-02", level = "must", words = "1"},
  {path = {"bVersion"}, op = "==", value = 2, id = "MQQB-2.4.2-02", level = "must", words = "2"},
  {path = {"reserved"}, op = "==", value = 0, id = "MQQB-2.4.2-02", level = "must", words = "0"},
  {path = {"aiKeyAlg"}, op = "==", value = 41984, id = "MQQB-2.4.2-02", level = "must", words = "0xa400"},
})

declare("msmq.partition_seq_numbers", "none", "PARTITION_SEQ_NUMBERS", {doc = "[MC-MQDSRP] 2.2.3 The sequence numbers of a directory partition."})
declare("msmq.partition_seq_numbers.partitionid", "guid", "PartitionID", {doc = "the directory partition"})
declare("msmq.partition_seq_numbers.lastseqnumber", "uint64", "LastSeqNumber", {doc = "its newest change", base = "HEX"})
declare("msmq.partition_seq_numbers.purgedseqnumber", "uint64", "PurgedSeqNumber", {doc = "its purged sequence number", base = "HEX"})
structure({name = "PARTITION_SEQ_NUMBERS", section = "[MC-MQDSRP] 2.2.3", least = 32, fixed = 32}, {}, {
  {n = "PartitionID", p = "msmq.partition_seq_numbers.partitionid", k = "guid"},
  {n = "LastSeqNumber", p = "msmq.partition_seq_numbers.lastseqnumber", k = "seq"},
  {n = "PurgedSeqNumber", p = "msmq.partition_seq_numbers.purgedseqnumber", k = "seq"},
})

declare("msmq.directorychange", "none", "DirectoryChange", {doc = "[MC-MQDSRP] 2.2.4 One change of one directory object."})
declare("msmq.directorychange.command", "uint8", "Command", {doc = "the operation on the object", base = "DEC"})
declare("msmq.directorychange.useguid", "uint8", "UseGuid", {doc = "0: PathName names the object, 1: GuidIdentifier does", base = "DEC"})
declare("msmq.directorychange.pathname", "string", "PathName", {doc = "path name of the object, terminator not included; present if UseGuid is 0"})
declare("msmq.directorychange.guididentifier", "guid", "GuidIdentifier", {doc = "identifier of the object; present if UseGuid is 1"})
declare("msmq.directorychange.partitionid", "guid", "PartitionID", {doc = "partition that the change belongs to"})
declare("msmq.directorychange.previousseqnumber", "uint64", "PreviousSeqNumber", {doc = "the change before this one in the partition", base = "HEX"})
declare("msmq.directorychange.seqnumber", "uint64", "SeqNumber", {doc = "this change", base = "HEX"})
declare("msmq.directorychange.purgedseqnumber", "uint64", "PurgedSeqNumber", {doc = "purged sequence number of the partition", base = "HEX"})
declare("msmq.directorychange.numberofproperties", "uint8", "NumberOfProperties", {doc = "count of properties", base = "DEC"})
declare("msmq.directorychange.propertyid", "uint32", "PropertyID", {doc = "identifiers of the properties", base = "DEC", properties = true})
declare("msmq.directorychange.propertyvalue", "none", "PropertyValue", {doc = "their values, each in the form that its identifier asks for"})
structure({name = "DirectoryChange", section = "[MC-MQDSRP] 2.2.4", least = 43}, {}, {
  {n = "Command", p = "msmq.directorychange.command", k = "u", z = 1},
  {n = "UseGuid", p = "msmq.directorychange.useguid", k = "u", z = 1, known = {0, 1}},
  {n = "PathName", p = "msmq.directorychange.pathname", k = "text", len = {k = "terminated"}, present = {numbers = {{"UseGuid"}}, value = 0}},
  {n = "GuidIdentifier", p = "msmq.directorychange.guididentifier", k = "guid", present = {numbers = {{"UseGuid"}}, value = 1}},
  {n = "PartitionID", p = "msmq.directorychange.partitionid", k = "guid"},
  {n = "PreviousSeqNumber", p = "msmq.directorychange.previousseqnumber", k = "seq"},
  {n = "SeqNumber", p = "msmq.directorychange.seqnumber", k = "seq"},
  {n = "PurgedSeqNumber", p = "msmq.directorychange.purgedseqnumber", k = "seq"},
  {n = "NumberOfProperties", p = "msmq.directorychange.numberofproperties", k = "u", z = 1},
  {n = "PropertyID", p = "msmq.directorychange.propertyid", k = "numbers", z = 4, count = {"NumberOfProperties"}},
  {n = "PropertyValue", p = "msmq.directorychange.propertyvalue", k = "values", ids = "PropertyID"},
}, {
  {path = {"Command"}, op = "within", value = {0, 3}, id = "MQDSRP-2.2.4-01", level = "must", words = "0 to 3"},
  {path = {"UseGuid"}, op = "in", value = {[0] = true, [1] = true}, id = "MQDSRP-2.2.4-02", level = "must", words = "one of 0, 1"},
  {path = {"PathName"}, op = "is absent", id = "MQDSRP-2.2.4-03", level = "must", words = "absent while UseGuid is 1", when = {{path = {"UseGuid"}, op = "==", value = 1}}},
  {path = {"GuidIdentifier"}, op = "is there", id = "MQDSRP-2.2.4-05", level = "must", words = "present while UseGuid is 1", when = {{path = {"UseGuid"}, op = "==", value = 1}}},
  {path = {"GuidIdentifier"}, op = "is absent", id = "MQDSRP-2.2.4-10", level = "must", words = "absent while UseGuid is 0", when = {{path = {"UseGuid"}, op = "==", value = 0}}},
})

declare("msmq.basereplicationheader", "none", "BaseReplicationHeader", {doc = "[MC-MQDSRP] 2.2.5.1 The first header of every replication message: its operation and its sender's site."})
declare("msmq.basereplicationheader.version", "uint8", "Version", {doc = "0x00", base = "DEC"})
declare("msmq.basereplicationheader.siteid", "guid", "SiteID", {doc = "site of the sending queue manager"})
declare("msmq.basereplicationheader.operation", "uint8", "Operation", {doc = "type of the message", base = "DEC", names = {[0] = "ChangePropagationMessage", [1] = "ChangeRequestMessage", [2] = "SyncRequestMessage", [3] = "SyncReplyMessage", [4] = "ChangeReplyMessage", [5] = "AlreadyPurgedMessage", [6] = "PSCAckMessage", [7] = "BSCAckMessage"}})
structure({name = "BaseReplicationHeader", section = "[MC-MQDSRP] 2.2.5.1", least = 18, fixed = 18}, {}, {
  {n = "Version", p = "msmq.basereplicationheader.version", k = "u", z = 1},
  {n = "SiteID", p = "msmq.basereplicationheader.siteid", k = "guid"},
  {n = "Operation", p = "msmq.basereplicationheader.operation", k = "u", z = 1},
}, {
  {path = {"Version"}, op = "==", value = 0, id = "MQDSRP-2.2.5.1-01", level = "must", words = "0"},
  {path = {"Operation"}, op = "within", value = {0, 7}, id = "MQDSRP-2.2.5.1-02", level = "must", words = "0 to 7"},
})

declare("msmq.changerequestheader", "none", "ChangeRequestHeader", {doc = "[MC-MQDSRP] 2.2.5.2 Identifies the queue manager that requests a change from the object authority."})
declare("msmq.changerequestheader.partitionid", "guid", "PartitionID", {doc = "partition of the object"})
declare("msmq.changerequestheader.requestidentifier", "uint32", "RequestIdentifier", {doc = "correlates reply and request, unique within the requester", base = "DEC"})
declare("msmq.changerequestheader.pscnameoffset", "uint32", "PSCNameOffset", {doc = "WCHARs from the beginning of RequesterName to PSCName; 0: no PSCName", base = "DEC"})
declare("msmq.changerequestheader.requestername", "string", "RequesterName", {doc = "machine that asked first, terminator not included"})
declare("msmq.changerequestheader.pscname", "string", "PSCName", {doc = "primary site controller of that machine, terminator not included; only from a BSC"})
structure({name = "ChangeRequestHeader", section = "[MC-MQDSRP] 2.2.5.2", least = 44}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "PartitionID", p = "msmq.changerequestheader.partitionid", k = "guid"},
  {n = "RequestIdentifier", p = "msmq.changerequestheader.requestidentifier", k = "u", z = 4},
  {n = "PSCNameOffset", p = "msmq.changerequestheader.pscnameoffset", k = "u", z = 4},
  {n = "RequesterName", p = "msmq.changerequestheader.requestername", k = "text", len = {k = "terminated"}},
  {n = "PSCName", p = "msmq.changerequestheader.pscname", k = "text", len = {k = "terminated"}, present = {numbers = {{"PSCNameOffset"}}}, offset = {path = {"PSCNameOffset"}, origin = "RequesterName"}},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 1, id = "MQDSRP-2.2.5.2-01", level = "must", words = "1"},
  {path = {"PSCNameOffset"}, op = "==", value = 0, id = "MQDSRP-2.2.5.2-03", level = "must", words = "0 without PSCName", when = {{path = {"PSCName"}, op = "is absent"}}},
})

declare("msmq.syncreplyheader", "none", "SyncReplyHeader", {doc = "[MC-MQDSRP] 2.2.5.3 The range of the changes in a synchronization reply."})
declare("msmq.syncreplyheader.partitionid", "guid", "PartitionID", {doc = "partition that the reply is about"})
declare("msmq.syncreplyheader.fromseqnumber", "uint64", "FromSeqNumber", {doc = "where the synchronization starts", base = "HEX"})
declare("msmq.syncreplyheader.toseqnumber", "uint64", "ToSeqNumber", {doc = "where it ends", base = "HEX"})
declare("msmq.syncreplyheader.purgedseqnumber", "uint64", "PurgedSeqNumber", {doc = "purged sequence number of the partition", base = "HEX"})
declare("msmq.syncreplyheader.count", "uint32", "Count", {doc = "count of changes in the message", base = "DEC"})
declare("msmq.syncreplyheader.completesync0", "uint32", "CompleteSync0", {doc = "state of sync0 on the object authority", base = "DEC"})
structure({name = "SyncReplyHeader", section = "[MC-MQDSRP] 2.2.5.3", least = 66, fixed = 66}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "PartitionID", p = "msmq.syncreplyheader.partitionid", k = "guid"},
  {n = "FromSeqNumber", p = "msmq.syncreplyheader.fromseqnumber", k = "seq"},
  {n = "ToSeqNumber", p = "msmq.syncreplyheader.toseqnumber", k = "seq"},
  {n = "PurgedSeqNumber", p = "msmq.syncreplyheader.purgedseqnumber", k = "seq"},
  {n = "Count", p = "msmq.syncreplyheader.count", k = "u", z = 4},
  {n = "CompleteSync0", p = "msmq.syncreplyheader.completesync0", k = "u", z = 4},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 3, id = "MQDSRP-2.2.5.3-01", level = "must", words = "3"},
  {path = {"CompleteSync0"}, op = "in", value = {[0] = true, [1] = true, [2] = true}, id = "MQDSRP-2.2.5.3-02", level = "must", words = "one of 0, 1, 2"},
})

declare("msmq.seqnumberheader", "none", "SeqNumberHeader", {doc = "[MC-MQDSRP] 2.2.5.4 The sequence numbers of the sender's partitions."})
declare("msmq.seqnumberheader.count", "uint16", "Count", {doc = "count of partitions", base = "DEC"})
declare("msmq.seqnumberheader.machinename", "string", "MachineName", {doc = "machine that sends, terminator not included; absent if Count is 0"})
declare("msmq.seqnumberheader.partitionseqnumbers", "none", "PartitionSeqNumbers", {doc = "the partitions' numbers"})
structure({name = "SeqNumberHeader", section = "[MC-MQDSRP] 2.2.5.4", least = 2}, {}, {
  {n = "Count", p = "msmq.seqnumberheader.count", k = "u", z = 2},
  {n = "MachineName", p = "msmq.seqnumberheader.machinename", k = "text", len = {k = "terminated"}, present = {numbers = {{"Count"}}}},
  {n = "PartitionSeqNumbers", p = "msmq.seqnumberheader.partitionseqnumbers", k = "items", s = "PARTITION_SEQ_NUMBERS", count = {"Count"}},
}, {
  {path = {"MachineName"}, op = "is absent", id = "MQDSRP-2.2.5.4-01", level = "must", words = "absent while Count is 0", when = {{path = {"Count"}, op = "==", value = 0}}},
})

declare("msmq.changerequestmessage", "none", "ChangeRequestMessage", {doc = "[MC-MQDSRP] 2.2.6.2 Requests a change of an object from the object authority (operation 0x01)."})
structure({name = "ChangeRequestMessage", section = "[MC-MQDSRP] 2.2.6.2", least = 87}, {}, {
  {n = "ChangeRequestHeader", p = "msmq.changerequestheader", k = "struct", s = "ChangeRequestHeader"},
  {n = "DirectoryChange", p = "msmq.directorychange", k = "struct", s = "DirectoryChange"},
})

declare("msmq.changereplymessage", "none", "ChangeReplyMessage", {doc = "[MC-MQDSRP] 2.2.6.3 Reports the result of a requested change (operation 0x04)."})
declare("msmq.changereplymessage.requestidentifier", "uint32", "RequestIdentifier", {doc = "of the request that this answers", base = "DEC"})
declare("msmq.changereplymessage.result", "uint32", "Result", {doc = "HRESULT of the change", base = "HEX", labels = {[0] = "done", [1074659329] = "MQ_INFORMATION_PROPERTY", [1074659330] = "MQ_INFORMATION_ILLEGAL_PROPERTY", [1074659331] = "MQ_INFORMATION_PROPERTY_IGNORED", [1074659332] = "MQ_INFORMATION_UNSUPPORTED_PROPERTY", [1074659333] = "MQ_INFORMATION_DUPLICATE_PROPERTY", [1074659334] = "MQ_INFORMATION_OPERATION_PENDING", [1074659337] = "MQ_INFORMATION_FORMATNAME_BUFFER_TOO_SMALL", [1074659338] = "MQ_INFORMATION_INTERNAL_USER_CERT_EXIST", [1074659339] = "MQ_INFORMATION_OWNER_IGNORED", [3222142977] = "MQ_ERROR", [3222142978] = "MQ_ERROR_PROPERTY", [3222142979] = "MQ_ERROR_QUEUE_NOT_FOUND", [3222142980] = "MQ_ERROR_QUEUE_NOT_ACTIVE", [3222142981] = "MQ_ERROR_QUEUE_EXISTS", [3222142982] = "MQ_ERROR_INVALID_PARAMETER", [3222142983] = "MQ_ERROR_INVALID_HANDLE", [3222142984] = "MQ_ERROR_OPERATION_CANCELLED", [3222142985] = "MQ_ERROR_SHARING_VIOLATION", [3222142987] = "MQ_ERROR_SERVICE_NOT_AVAILABLE", [3222142989] = "MQ_ERROR_MACHINE_NOT_FOUND", [3222142992] = "MQ_ERROR_ILLEGAL_SORT", [3222142993] = "MQ_ERROR_ILLEGAL_USER", [3222142995] = "MQ_ERROR_NO_DS", [3222142996] = "MQ_ERROR_ILLEGAL_QUEUE_PATHNAME", [3222143000] = "MQ_ERROR_ILLEGAL_PROPERTY_VALUE", [3222143001] = "MQ_ERROR_ILLEGAL_PROPERTY_VT", [3222143002] = "MQ_ERROR_BUFFER_OVERFLOW", [3222143003] = "MQ_ERROR_IO_TIMEOUT", [3222143004] = "MQ_ERROR_ILLEGAL_CURSOR_ACTION", [3222143005] = "MQ_ERROR_MESSAGE_ALREADY_RECEIVED", [3222143006] = "MQ_ERROR_ILLEGAL_FORMATNAME", [3222143007] = "MQ_ERROR_FORMATNAME_BUFFER_TOO_SMALL", [3222143008] = "MQ_ERROR_UNSUPPORTED_FORMATNAME_OPERATION", [3222143009] = "MQ_ERROR_ILLEGAL_SECURITY_DESCRIPTOR", [3222143010] = "MQ_ERROR_SENDERID_BUFFER_TOO_SMALL", [3222143011] = "MQ_ERROR_SECURITY_DESCRIPTOR_TOO_SMALL", [3222143012] = "MQ_ERROR_CANNOT_IMPERSONATE_CLIENT", [3222143013] = "MQ_ERROR_ACCESS_DENIED", [3222143014] = "MQ_ERROR_PRIVILEGE_NOT_HELD", [3222143015] = "MQ_ERROR_INSUFFICIENT_RESOURCES", [3222143016] = "MQ_ERROR_USER_BUFFER_TOO_SMALL", [3222143018] = "MQ_ERROR_MESSAGE_STORAGE_FAILED", [3222143019] = "MQ_ERROR_SENDER_CERT_BUFFER_TOO_SMALL", [3222143020] = "MQ_ERROR_INVALID_CERTIFICATE", [3222143021] = "MQ_ERROR_CORRUPTED_INTERNAL_CERTIFICATE", [3222143022] = "MQ_ERROR_INTERNAL_USER_CERT_EXIST", [3222143023] = "MQ_ERROR_NO_INTERNAL_USER_CERT", [3222143024] = "MQ_ERROR_CORRUPTED_SECURITY_DATA", [3222143025] = "MQ_ERROR_CORRUPTED_PERSONAL_CERT_STORE", [3222143027] = "MQ_ERROR_COMPUTER_DOES_NOT_SUPPORT_ENCRYPTION", [3222143029] = "MQ_ERROR_BAD_SECURITY_CONTEXT", [3222143030] = "MQ_ERROR_COULD_NOT_GET_USER_SID", [3222143031] = "MQ_ERROR_COULD_NOT_GET_ACCOUNT_INFO", [3222143032] = "MQ_ERROR_ILLEGAL_MQCOLUMNS", [3222143033] = "MQ_ERROR_ILLEGAL_PROPID", [3222143034] = "MQ_ERROR_ILLEGAL_RELATION", [3222143035] = "MQ_ERROR_ILLEGAL_PROPERTY_SIZE", [3222143036] = "MQ_ERROR_ILLEGAL_RESTRICTION_PROPID", [3222143037] = "MQ_ERROR_ILLEGAL_MQQUEUEPROPS", [3222143038] = "MQ_ERROR_PROPERTY_NOTALLOWED", [3222143039] = "MQ_ERROR_INSUFFICIENT_PROPERTIES", [3222143040] = "MQ_ERROR_MACHINE_EXISTS", [3222143041] = "MQ_ERROR_ILLEGAL_MQQMPROPS", [3222143042] = "MQ_ERROR_DS_IS_FULL", [3222143043] = "MQ_ERROR_DS_ERROR", [3222143044] = "MQ_ERROR_INVALID_OWNER", [3222143045] = "MQ_ERROR_UNSUPPORTED_ACCESS_MODE", [3222143046] = "MQ_ERROR_RESULT_BUFFER_TOO_SMALL", [3222143048] = "MQ_ERROR_DELETE_CN_IN_USE", [3222143049] = "MQ_ERROR_NO_RESPONSE_FROM_OBJECT_SERVER", [3222143050] = "MQ_ERROR_OBJECT_SERVER_NOT_AVAILABLE", [3222143051] = "MQ_ERROR_QUEUE_NOT_AVAILABLE", [3222143052] = "MQ_ERROR_DTC_CONNECT", [3222143054] = "MQ_ERROR_TRANSACTION_IMPORT", [3222143056] = "MQ_ERROR_TRANSACTION_USAGE", [3222143057] = "MQ_ERROR_TRANSACTION_SEQUENCE", [3222143061] = "MQ_ERROR_MISSING_CONNECTOR_TYPE", [3222143062] = "MQ_ERROR_STALE_HANDLE", [3222143064] = "MQ_ERROR_TRANSACTION_ENLIST", [3222143066] = "MQ_ERROR_QUEUE_DELETED", [3222143067] = "MQ_ERROR_ILLEGAL_CONTEXT", [3222143068] = "MQ_ERROR_ILLEGAL_SORT_PROPID", [3222143069] = "MQ_ERROR_LABEL_TOO_LONG", [3222143070] = "MQ_ERROR_LABEL_BUFFER_TOO_SMALL", [3222143071] = "MQ_ERROR_MQIS_SERVER_EMPTY", [3222143072] = "MQ_ERROR_MQIS_READONLY_MODE", [3222143073] = "MQ_ERROR_SYMM_KEY_BUFFER_TOO_SMALL", [3222143074] = "MQ_ERROR_SIGNATURE_BUFFER_TOO_SMALL", [3222143075] = "MQ_ERROR_PROV_NAME_BUFFER_TOO_SMALL", [3222143076] = "MQ_ERROR_ILLEGAL_OPERATION", [3222143077] = "MQ_ERROR_WRITE_NOT_ALLOWED", [3222143078] = "MQ_ERROR_WKS_CANT_SERVE_CLIENT", [3222143079] = "MQ_ERROR_DEPEND_WKS_LICENSE_OVERFLOW", [3222143080] = "MQ_CORRUPTED_QUEUE_WAS_DELETED", [3222143081] = "MQ_ERROR_REMOTE_MACHINE_NOT_AVAILABLE", [3222143082] = "MQ_ERROR_UNSUPPORTED_OPERATION", [3222143083] = "MQ_ERROR_ENCRYPTION_PROVIDER_NOT_SUPPORTED", [3222143084] = "MQ_ERROR_CANNOT_SET_CRYPTO_SEC_DESCR", [3222143085] = "MQ_ERROR_CERTIFICATE_NOT_PROVIDED", [3222143086] = "MQ_ERROR_Q_DNS_PROPERTY_NOT_SUPPORTED", [3222143087] = "MQ_ERROR_CANNOT_CREATE_CERT_STORE", [3222143088] = "MQ_ERROR_CANNOT_OPEN_CERT_STORE", [3222143089] = "MQ_ERROR_ILLEGAL_ENTERPRISE_OPERATION", [3222143090] = "MQ_ERROR_CANNOT_GRANT_ADD_GUID", [3222143091] = "MQ_ERROR_CANNOT_LOAD_MSMQOCM", [3222143092] = "MQ_ERROR_NO_ENTRY_POINT_MSMQOCM", [3222143093] = "MQ_ERROR_NO_MSMQ_SERVERS_ON_DC", [3222143094] = "MQ_ERROR_CANNOT_JOIN_DOMAIN", [3222143095] = "MQ_ERROR_CANNOT_CREATE_ON_GC", [3222143096] = "MQ_ERROR_GUID_NOT_MATCHING", [3222143097] = "MQ_ERROR_PUBLIC_KEY_NOT_FOUND", [3222143098] = "MQ_ERROR_PUBLIC_KEY_DOES_NOT_EXIST", [3222143099] = "MQ_ERROR_ILLEGAL_MQPRIVATEPROPS", [3222143100] = "MQ_ERROR_NO_GC_IN_DOMAIN", [3222143101] = "MQ_ERROR_NO_MSMQ_SERVERS_ON_GC", [3222143102] = "MQ_ERROR_CANNOT_GET_DN", [3222143103] = "MQ_ERROR_CANNOT_HASH_DATA_EX", [3222143104] = "MQ_ERROR_CANNOT_SIGN_DATA_EX", [3222143105] = "MQ_ERROR_CANNOT_CREATE_HASH_EX", [3222143106] = "MQ_ERROR_FAIL_VERIFY_SIGNATURE_EX", [3222143107] = "MQ_ERROR_CANNOT_DELETE_PSC_OBJECTS", [3222143108] = "MQ_ERROR_NO_MQUSER_OU", [3222143109] = "MQ_ERROR_CANNOT_LOAD_MQAD", [3222143110] = "MQ_ERROR_CANNOT_LOAD_MQDSSRV", [3222143111] = "MQ_ERROR_PROPERTIES_CONFLICT", [3222143112] = "MQ_ERROR_MESSAGE_NOT_FOUND", [3222143113] = "MQ_ERROR_CANT_RESOLVE_SITES", [3222143114] = "MQ_ERROR_NOT_SUPPORTED_BY_DEPENDENT_CLIENTS", [3222143115] = "MQ_ERROR_OPERATION_NOT_SUPPORTED_BY_REMOTE_COMPUTER", [3222143116] = "MQ_ERROR_NOT_A_CORRECT_OBJECT_CLASS", [3222143117] = "MQ_ERROR_MULTI_SORT_KEYS", [3222143118] = "MQ_ERROR_GC_NEEDED", [3222143119] = "MQ_ERROR_DS_BIND_ROOT_FOREST", [3222143120] = "MQ_ERROR_DS_LOCAL_USER", [3222143121] = "MQ_ERROR_Q_ADS_PROPERTY_NOT_SUPPORTED", [3222143122] = "MQ_ERROR_BAD_XML_FORMAT", [3222143123] = "MQ_ERROR_UNSUPPORTED_CLASS", [3222143124] = "MQ_ERROR_UNINITIALIZED_OBJECT", [3222143125] = "MQ_ERROR_CANNOT_CREATE_PSC_OBJECTS", [3222143126] = "MQ_ERROR_CANNOT_UPDATE_PSC_OBJECTS", [3222143129] = "MQ_ERROR_RESOLVE_ADDRESS", [3222143130] = "MQ_ERROR_TOO_MANY_PROPERTIES", [3222143131] = "MQ_ERROR_MESSAGE_NOT_AUTHENTICATED", [3222143132] = "MQ_ERROR_MESSAGE_LOCKED_UNDER_TRANSACTION", [3222144260] = "MQDS_UNKNOWN_SOURCE"}})
declare("msmq.changereplymessage.requestername", "string", "RequesterName", {doc = "machine that asked first, terminator not included"})
structure({name = "ChangeReplyMessage", section = "[MC-MQDSRP] 2.2.6.3", least = 28}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "RequestIdentifier", p = "msmq.changereplymessage.requestidentifier", k = "u", z = 4},
  {n = "Result", p = "msmq.changereplymessage.result", k = "u", z = 4},
  {n = "RequesterName", p = "msmq.changereplymessage.requestername", k = "text", len = {k = "terminated"}},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 4, id = "MQDSRP-2.2.6.3-01", level = "must", words = "4"},
})

declare("msmq.syncrequestmessage", "none", "SyncRequestMessage", {doc = "[MC-MQDSRP] 2.2.6.4 Requests the changes of a partition (operation 0x02)."})
declare("msmq.syncrequestmessage.partitionid", "guid", "PartitionID", {doc = "partition to synchronize"})
declare("msmq.syncrequestmessage.fromseqnumber", "uint64", "FromSeqNumber", {doc = "where to start", base = "HEX"})
declare("msmq.syncrequestmessage.toseqnumber", "uint64", "ToSeqNumber", {doc = "where to end", base = "HEX"})
declare("msmq.syncrequestmessage.knownpurgedseqnumber", "uint64", "KnownPurgedSeqNumber", {doc = "purged sequence number that the requester knows", base = "HEX"})
declare("msmq.syncrequestmessage.issync0", "uint8", "IsSync0", {doc = "1: the partition is in the sync0 state", base = "DEC"})
declare("msmq.syncrequestmessage.scope", "uint8", "Scope", {doc = "1: enterprise scope only", base = "DEC"})
declare("msmq.syncrequestmessage.requestername", "string", "RequesterName", {doc = "machine that sends, terminator not included"})
structure({name = "SyncRequestMessage", section = "[MC-MQDSRP] 2.2.6.4", least = 62}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "PartitionID", p = "msmq.syncrequestmessage.partitionid", k = "guid"},
  {n = "FromSeqNumber", p = "msmq.syncrequestmessage.fromseqnumber", k = "seq"},
  {n = "ToSeqNumber", p = "msmq.syncrequestmessage.toseqnumber", k = "seq"},
  {n = "KnownPurgedSeqNumber", p = "msmq.syncrequestmessage.knownpurgedseqnumber", k = "seq"},
  {n = "IsSync0", p = "msmq.syncrequestmessage.issync0", k = "u", z = 1},
  {n = "Scope", p = "msmq.syncrequestmessage.scope", k = "u", z = 1},
  {n = "RequesterName", p = "msmq.syncrequestmessage.requestername", k = "text", len = {k = "terminated"}},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 2, id = "MQDSRP-2.2.6.4-01", level = "must", words = "2"},
  {path = {"IsSync0"}, op = "in", value = {[0] = true, [1] = true}, id = "MQDSRP-2.2.6.4-02", level = "must", words = "one of 0, 1"},
  {path = {"Scope"}, op = "in", value = {[0] = true, [1] = true}, id = "MQDSRP-2.2.6.4-03", level = "must", words = "one of 0, 1"},
})

declare("msmq.syncreplymessage", "none", "SyncReplyMessage", {doc = "[MC-MQDSRP] 2.2.6.5 Carries the changes of a partition (operation 0x03)."})
declare("msmq.syncreplymessage.directorychanges", "none", "DirectoryChanges", {doc = "the changes, SyncReplyHeader.Count of them"})
structure({name = "SyncReplyMessage", section = "[MC-MQDSRP] 2.2.6.5", least = 66}, {}, {
  {n = "SyncReplyHeader", p = "msmq.syncreplyheader", k = "struct", s = "SyncReplyHeader"},
  {n = "DirectoryChanges", p = "msmq.syncreplymessage.directorychanges", k = "items", s = "DirectoryChange", count = {"SyncReplyHeader", "Count"}},
})

declare("msmq.bscackmessage", "none", "BSCAckMessage", {doc = "[MC-MQDSRP] 2.2.6.6 A backup site controller acknowledges to its primary (operation 0x07)."})
declare("msmq.bscackmessage.bscmachineid", "guid", "BSCMachineID", {doc = "queue manager of the backup site controller"})
declare("msmq.bscackmessage.bscname", "string", "BSCName", {doc = "its machine name, terminator not included"})
structure({name = "BSCAckMessage", section = "[MC-MQDSRP] 2.2.6.6", least = 36}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "BSCMachineID", p = "msmq.bscackmessage.bscmachineid", k = "guid"},
  {n = "BSCName", p = "msmq.bscackmessage.bscname", k = "text", len = {k = "terminated"}},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 7, id = "MQDSRP-2.2.6.6-01", level = "must", words = "7"},
})

declare("msmq.pscackmessage", "none", "PSCAckMessage", {doc = "[MC-MQDSRP] 2.2.6.7 A primary site controller acknowledges to the object authority (operation 0x06)."})
declare("msmq.pscackmessage.pscsiteid", "guid", "PSCSiteID", {doc = "site of the primary site controller"})
declare("msmq.pscackmessage.ackedpartitionid", "guid", "AckedPartitionID", {doc = "partition that is acknowledged"})
declare("msmq.pscackmessage.ackedseqnumber", "uint64", "AckedSeqNumber", {doc = "up to this change", base = "HEX"})
declare("msmq.pscackmessage.pscname", "string", "PSCName", {doc = "machine name of the controller, terminator not included"})
structure({name = "PSCAckMessage", section = "[MC-MQDSRP] 2.2.6.7", least = 60}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "PSCSiteID", p = "msmq.pscackmessage.pscsiteid", k = "guid"},
  {n = "AckedPartitionID", p = "msmq.pscackmessage.ackedpartitionid", k = "guid"},
  {n = "AckedSeqNumber", p = "msmq.pscackmessage.ackedseqnumber", k = "seq"},
  {n = "PSCName", p = "msmq.pscackmessage.pscname", k = "text", len = {k = "terminated"}},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 6, id = "MQDSRP-2.2.6.7-01", level = "must", words = "6"},
})

declare("msmq.alreadypurgedmessage", "none", "AlreadyPurgedMessage", {doc = "[MC-MQDSRP] 2.2.6.8 Reports that the requested changes were purged (operation 0x05)."})
declare("msmq.alreadypurgedmessage.partitionid", "guid", "PartitionID", {doc = "partition that was asked for"})
declare("msmq.alreadypurgedmessage.purgedseqnumber", "uint64", "PurgedSeqNumber", {doc = "its purged sequence number", base = "HEX"})
structure({name = "AlreadyPurgedMessage", section = "[MC-MQDSRP] 2.2.6.8", least = 42, fixed = 42}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "PartitionID", p = "msmq.alreadypurgedmessage.partitionid", k = "guid"},
  {n = "PurgedSeqNumber", p = "msmq.alreadypurgedmessage.purgedseqnumber", k = "seq"},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 5, id = "MQDSRP-2.2.6.8-01", level = "must", words = "5"},
})

declare("msmq.changepropagationmessage", "none", "ChangePropagationMessage", {doc = "[MC-MQDSRP] 2.2.6.9 Propagates new changes to the directory's neighbors (operation 0x00)."})
declare("msmq.changepropagationmessage.flush", "uint8", "Flush", {doc = "1: a flush message, not to be flushed on", base = "DEC"})
declare("msmq.changepropagationmessage.count", "uint16", "Count", {doc = "count of changes", base = "DEC"})
declare("msmq.changepropagationmessage.directorychanges", "none", "DirectoryChanges", {doc = "the changes"})
structure({name = "ChangePropagationMessage", section = "[MC-MQDSRP] 2.2.6.9", least = 23}, {}, {
  {n = "BaseReplicationHeader", p = "msmq.basereplicationheader", k = "struct", s = "BaseReplicationHeader"},
  {n = "Flush", p = "msmq.changepropagationmessage.flush", k = "u", z = 1},
  {n = "Count", p = "msmq.changepropagationmessage.count", k = "u", z = 2},
  {n = "DirectoryChanges", p = "msmq.changepropagationmessage.directorychanges", k = "items", s = "DirectoryChange", count = {"Count"}},
  {n = "SeqNumberHeader", p = "msmq.seqnumberheader", k = "struct", s = "SeqNumberHeader"},
}, {
  {path = {"BaseReplicationHeader", "Operation"}, op = "==", value = 0, id = "MQDSRP-2.2.6.9-01", level = "must", words = "0"},
  {path = {"Flush"}, op = "in", value = {[0] = true, [1] = true}, id = "MQDSRP-2.2.6.9-02", level = "must", words = "one of 0, 1"},
})

declare("msmq.notificationbody", "none", "NotificationBody", {doc = "[MS-MQCN] 2.2.5 A queue manager's notification, as text."})
declare("msmq.notificationbody.text", "string", "Text", {doc = "the text of the notification, and the bytes after it; the name is ours"})
declare("msmq.notificationbody.unused", "bytes", "Unused", {doc = "the odd byte after the text, if there is one; the name is ours"})
structure({name = "NotificationBody", section = "[MS-MQCN] 2.2.5", least = 0}, {}, {
  {n = "Text", p = "msmq.notificationbody.text", k = "text", len = {k = "rest"}},
  {n = "Unused", p = "msmq.notificationbody.unused", k = "bytes", len = {k = "rest"}},
})

declare("msmq.notificationupdate", "none", "NotificationUpdate", {doc = "[MS-MQCN] 2.2.6 One change of a queue or a machine, with the layout of `mqdsrp.DirectoryChange`."})
declare("msmq.notificationupdate.command", "uint8", "Command", {doc = "the operation on the object", base = "DEC"})
declare("msmq.notificationupdate.useguid", "uint8", "UseGuid", {doc = "0: PathName names the object, 1: GuidIdentifier does", base = "DEC"})
declare("msmq.notificationupdate.pathname", "string", "PathName", {doc = "path name of the object, terminator not included; present if UseGuid is 0"})
declare("msmq.notificationupdate.guididentifier", "guid", "GuidIdentifier", {doc = "identifier of the object; present if UseGuid is 1"})
declare("msmq.notificationupdate.guidmasterid", "guid", "GuidMasterId", {doc = "directory server where the change was made"})
declare("msmq.notificationupdate.reserved", "bytes", "Reserved", {doc = "any value"})
declare("msmq.notificationupdate.numberofproperties", "uint8", "NumberOfProperties", {doc = "count of properties", base = "DEC"})
declare("msmq.notificationupdate.propertyid", "uint32", "PropertyId", {doc = "identifiers of the properties", base = "DEC", properties = true})
declare("msmq.notificationupdate.propertyvalue", "none", "PropertyValue", {doc = "their values, each in the form that its identifier asks for"})
structure({name = "NotificationUpdate", section = "[MS-MQCN] 2.2.6", least = 43}, {}, {
  {n = "Command", p = "msmq.notificationupdate.command", k = "u", z = 1},
  {n = "UseGuid", p = "msmq.notificationupdate.useguid", k = "u", z = 1, known = {0, 1}},
  {n = "PathName", p = "msmq.notificationupdate.pathname", k = "text", len = {k = "terminated"}, present = {numbers = {{"UseGuid"}}, value = 0}},
  {n = "GuidIdentifier", p = "msmq.notificationupdate.guididentifier", k = "guid", present = {numbers = {{"UseGuid"}}, value = 1}},
  {n = "GuidMasterId", p = "msmq.notificationupdate.guidmasterid", k = "guid"},
  {n = "Reserved", p = "msmq.notificationupdate.reserved", k = "bytes", len = {k = "fixed", n = 24}},
  {n = "NumberOfProperties", p = "msmq.notificationupdate.numberofproperties", k = "u", z = 1},
  {n = "PropertyId", p = "msmq.notificationupdate.propertyid", k = "numbers", z = 4, count = {"NumberOfProperties"}},
  {n = "PropertyValue", p = "msmq.notificationupdate.propertyvalue", k = "values", ids = "PropertyId"},
}, {
  {path = {"Command"}, op = "within", value = {0, 2}, id = "MQCN-2.2.6-01", level = "must", words = "0 to 2"},
  {path = {"UseGuid"}, op = "==", value = 1, id = "MQCN-2.2.6-02", level = "must", words = "1 with GuidIdentifier", when = {{path = {"GuidIdentifier"}, op = "is there"}}},
  {path = {"UseGuid"}, op = "==", value = 0, id = "MQCN-2.2.6-03", level = "must", words = "0 without GuidIdentifier", when = {{path = {"GuidIdentifier"}, op = "is absent"}}},
  {path = {"PathName"}, op = "is absent", id = "MQCN-2.2.6-06", level = "must", words = "absent while UseGuid is 1", when = {{path = {"UseGuid"}, op = "==", value = 1}}},
  {path = {"UseGuid"}, op = "==", value = 0, id = "MQCN-3.3.5.2-05", level = "must", words = "0 for a created queue", when = {{path = {"Command"}, op = "==", value = 0}}},
  {path = {"UseGuid"}, op = "!=", value = 0, id = "MQCN-3.3.5.2-06", level = "must", words = "1 unless Command is 0", when = {{path = {"Command"}, op = "!=", value = 0}}},
})

declare("msmq.notificationupdates", "none", "NotificationUpdates", {doc = "[MS-MQCN] 2.2.4 The updates of one message of version 1."})
declare("msmq.notificationupdates.updates", "none", "Updates", {doc = "the updates, without padding between them; the name is ours"})
declare("msmq.notificationupdates.unused", "bytes", "Unused", {doc = "the byte that the sender's buffer has too many; the name is ours"})
structure({name = "NotificationUpdates", section = "[MS-MQCN] 2.2.4", least = 0}, {}, {
  {n = "Updates", p = "msmq.notificationupdates.updates", k = "items", s = "NotificationUpdate", count = {"NumberOfUpdateNotifications"}},
  {n = "Unused", p = "msmq.notificationupdates.unused", k = "bytes", len = {k = "rest"}},
})

declare("msmq.changenotificationmessage", "none", "ChangeNotificationMessage", {doc = "[MS-MQCN] 2.2.4 Notifies a queue manager of changes in the directory."})
declare("msmq.changenotificationmessage.version", "uint8", "Version", {doc = "1: from a directory service, 2: from a queue manager", base = "DEC"})
declare("msmq.changenotificationmessage.numberofupdatenotifications", "uint8", "NumberOfUpdateNotifications", {doc = "count of updates; 1 in version 2", base = "DEC"})
declare("msmq.changenotificationmessage.data", "none", "Data", {doc = "updates or a body, selected by Version"})
structure({name = "ChangeNotificationMessage", section = "[MS-MQCN] 2.2.4", least = 2}, {}, {
  {n = "Version", p = "msmq.changenotificationmessage.version", k = "u", z = 1},
  {n = "NumberOfUpdateNotifications", p = "msmq.changenotificationmessage.numberofupdatenotifications", k = "u", z = 1},
  {n = "Data", p = "msmq.changenotificationmessage.data", k = "choice", sel = {"Version"}, forms = {[1] = "NotificationUpdates", [2] = "NotificationBody"}},
}, {
  {path = {"NumberOfUpdateNotifications"}, op = "==", value = 1, id = "MQCN-2.2.4-03", level = "must", words = "1 while Version is 2", when = {{path = {"Version"}, op = "==", value = 2}}},
  {path = {"Version"}, op = "in", value = {[1] = true, [2] = true}, id = "MQCN-2.2.4-04", level = "must", words = "one of 1, 2"},
})

local SENTENCES = {short = "expected %s, found %s", ["count missing"] = "expected %s for its count, found %s", ["left over"] = "%s left over", unterminated = "expected a terminator at the end, found %s without one", ["size above"] = "expected a size of at most %s, found %s", ["padded size above"] = "expected a size of at most %s, found %s (%s with padding)", ["size below"] = "expected a size of at least %s, found %s", ["count above"] = "expected a count of at most %s, found %s", ["elements above"] = "expected elements that fit %s, found a count of %s", odd = "expected an even number of bytes, found %s", offset = "expected an offset of %s WCHARs, found %s", identifier = "expected a property identifier of [MS-MQMQ] 2.3 or one that was registered, found %s", ["variant type"] = "expected a variant type of [MS-MQMQ] 2.2.12, found %s", event = "expected %s, found %s", ["object guid"] = "expected %s, found %s", expected = "expected %s, found %s", flag = "expected %s, found %s", promise = "expected %s, found %s", limit = "%s: expected at most %s, found %s", alone = "cannot be decoded alone, because its sizes are in the enclosing structure"}
local PORT, PING_PORT, FOREVER = 1801, 3527, 0xffffffff
local VERSION, MARK, MAX_PACKET_SIZE = 0x10, "LIOR", 0x400000
local INTERNAL = {[1] = "SessionAck", [2] = "EstablishConnection", [3] = "ConnectionParameters"}
local ORDER_LABEL = "QM Ordering Ack"
local OPERATIONS = {[0] = "ChangePropagationMessage", [1] = "ChangeRequestMessage", [2] = "SyncRequestMessage", [3] = "SyncReplyMessage", [4] = "ChangeReplyMessage", [5] = "AlreadyPurgedMessage", [6] = "PSCAckMessage", [7] = "BSCAckMessage"}
local DIRECTORY_QUEUES = {REPLICATION = {1, "\092private$\092mqis_queue$"}, NOTIFICATION = {3, "\092private$\092notify_queue$"}}
local RETURNED = {32768, 49155}
local MESSAGE_CLASSES = {[0] = "MQMSG_CLASS_NORMAL", [1] = "MQMSG_CLASS_REPORT", [2] = "MQMSG_CLASS_ACK_REACH_QUEUE", [255] = "MQMSG_CLASS_ORDER_ACK", [16384] = "MQMSG_CLASS_ACK_RECEIVE", [32768] = "MQMSG_CLASS_NACK_BAD_DST_Q", [32769] = "MQMSG_CLASS_NACK_DELETED", [32770] = "MQMSG_CLASS_NACK_REACH_QUEUE_TIMEOUT", [32771] = "MQMSG_CLASS_NACK_Q_EXCEED_QUOTA", [32772] = "MQMSG_CLASS_NACK_ACCESS_DENIED", [32773] = "MQMSG_CLASS_NACK_HOP_COUNT_EXCEEDED", [32774] = "MQMSG_CLASS_NACK_BAD_SIGNATURE", [32775] = "MQMSG_CLASS_NACK_BAD_ENCRYPTION", [32777] = "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_Q", [32778] = "MQMSG_CLASS_NACK_NOT_TRANSACTIONAL_MSG", [32779] = "MQMSG_CLASS_NACK_UNSUPPORTED_CRYPTO_PROVIDER", [49152] = "MQMSG_CLASS_NACK_Q_DELETED", [49153] = "MQMSG_CLASS_NACK_Q_PURGED", [49154] = "MQMSG_CLASS_NACK_RECEIVE_TIMEOUT", [49156] = "MQMSG_CLASS_NACK_RECEIVE_REJECTED"}

-- ---------------------------------------------------------------------------------------------- reader
-- Reads the bytes of a Lua string by the layouts above into nodes, without Wireshark.
--
-- 1. A node has the name of its field in Wireshark (p), its place (at, z), its kind (k), its children (c),
--    its label (t) and what is wrong with it (x). It has no bytes: who shows it has them.
-- 2. Fields of fixed size that follow each other are a run, which has one node, or belongs to the node of the structure
--    that begins with it. A number in a run is read when it is asked for.
-- 3. What cannot be read raises a table, and only that; the nodes made so far stay.
-- 4. Work is linear in the bytes. At most `budget` fields have nodes; what lies beyond is read and not shown.
-- 5. Only arithmetic that is the same in Lua 5.2 (no integers) and 5.4: numbers here have at most 32 bits.

local byte, sub, find, gsub, floor, format = string.byte, string.sub, string.find, string.gsub, math.floor, string.format

local MAX_DEPTH = 8
local MAX_KEPT = 256 -- values of a number for which the rules that they may violate are kept

local function uint(data, at, size)
  if size == 4 then
    local a, b, c, d = byte(data, at + 1, at + 4)
    return a + b * 0x100 + c * 0x10000 + d * 0x1000000
  elseif size == 2 then
    local a, b = byte(data, at + 1, at + 2)
    return a + b * 0x100
  elseif size == 1 then
    return byte(data, at + 1)
  end
  local value = 0
  for i = at + size, at + 1, -1 do
    value = value * 256 + byte(data, i)
  end
  return value
end

-- The powers of two around the bits of a group: of its lowest bit, and of the bit above its highest.
local function with_powers(group, shift, width)
  group.low, group.high = 2 ^ shift, 2 ^ (shift + width)
  return group
end

local function bits(word, group)
  return (word % group.high - word % group.low) / group.low
end

-- Where the WCHAR 0x0000 stands that ends a text, or nil.
local function terminator(data, at, stop)
  local from = at + 1
  while true do
    local found = find(data, "\0\0", from, true)
    if not found or found + 1 > stop then return nil end
    if (found - 1 - at) % 2 == 0 then return found - 1 end
    from = found + 1
  end
end

local GUID = "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x"

local function guid(data, at)
  local a, b, c, d, e, f, g, h = byte(data, at + 1, at + 8)
  return format(GUID, d, c, b, a, f, e, h, g, byte(data, at + 9, at + 16))
end

local function encode_utf8(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + floor(code / 64), 0x80 + code % 64) end
  if code < 0x10000 then
    return string.char(0xE0 + floor(code / 4096), 0x80 + floor(code / 64) % 64, 0x80 + code % 64)
  end
  return string.char(
    0xF0 + floor(code / 262144), 0x80 + floor(code / 4096) % 64, 0x80 + floor(code / 64) % 64, 0x80 + code % 64
  )
end

-- UTF-16LE as UTF-8, up to the first null character; a surrogate without its other half is U+FFFD, and so
-- are U+FFFE and U+FFFF, because tshark would write PDML that no reader of XML takes.
local function text(data, at, size)
  local stop = at + size - size % 2
  stop = terminator(data, at, stop) or stop
  local ascii, units = gsub(sub(data, at + 1, stop), "([\1-\127])%z", "%1")
  if units * 2 == stop - at then return ascii end
  local parts, i = {}, at
  while i < stop do
    local unit = uint(data, i, 2)
    i = i + 2
    if unit >= 0xD800 and unit < 0xE000 then
      local low = i < stop and uint(data, i, 2) or 0
      if unit < 0xDC00 and low >= 0xDC00 and low < 0xE000 then
        unit = 0x10000 + (unit - 0xD800) * 1024 + (low - 0xDC00)
        i = i + 2
      else
        unit = 0xFFFD
      end
    elseif unit >= 0xFFFE then
      unit = 0xFFFD
    end
    parts[#parts + 1] = encode_utf8(unit)
  end
  return table.concat(parts)
end

-- ------------------------------------------------------------------------------------------------ runs

-- The size of a field that can stand in a run, or nil.
local function size_in_run(field)
  if field.present or field.outside or field.known or field.rival then return nil end
  if field.k == "u" or field.k == "i" or field.k == "flags" then return field.z end
  if field.k == "bytes" and field.len.k == "fixed" and field.len.n > 0 and not field.inside then return field.len.n end
  return field.k == "guid" and 16 or field.k == "seq" and 8 or nil
end

-- Divides the fields of a structure into steps, which are fields and runs, and notes where in which run a field is.
local function divide(structure)
  local steps, places, run = {}, {}, nil
  for _, field in ipairs(structure.fields) do
    local size = size_in_run(field)
    if size then
      if not run then
        run = { fields = {}, z = 0 }
        steps[#steps + 1] = { run = run }
      end
      local is_number = field.k == "u" or field.k == "i" or field.k == "flags"
      places[field.n] = { run = run, offset = run.z, z = size, is_number = is_number }
      run.fields[#run.fields + 1] = { field = field, offset = run.z, z = size }
      run.z = run.z + size
    else
      run = nil
      steps[#steps + 1] = { field = field }
    end
    steps[#steps].last = field.n
    if structure.extent and field.n == structure.extent.path[1] then run = nil end
  end
  structure.steps, structure.places = steps, places
end

for _, structure in ipairs(STRUCTURES) do
  for _, groups in pairs(structure.groups) do
    for _, group in pairs(groups) do with_powers(group, group.s, group.w) end
  end
  divide(structure)
end

-- ---------------------------------------------------------------------------------------------- frames
-- A frame is a structure at a place: where its runs are, and for each other field the frame of the part or the node.

local NONE = {}

local function new_frame(structure, data, at, up)
  return { s = structure, data = data, at = at, up = up, inner = NONE }
end

local function keep(frame, name, found)
  if frame.inner == NONE then frame.inner = {} end
  frame.inner[name] = found
end

-- The number of a field of a frame; nil where it has none.
local function value_of(frame, name)
  local place = frame.s.places[name]
  local at = place and frame[place.run]
  if at then
    if not place.is_number then return nil end
    return place.z <= 4 and uint(frame.data, at + place.offset, place.z) or 0
  end
  local own = frame.inner[name]
  return own and own.value
end

-- Where the bytes of a field of a frame are; nil where it is absent.
local function place_of(frame, name)
  local place = frame.s.places[name]
  local at = place and frame[place.run]
  return at and { at = at + place.offset, z = place.z } or frame.inner[name]
end

-- Where a field of a frame begins; nil where it is absent.
local function offset_of(frame, name)
  local found = place_of(frame, name)
  return found and found.at
end

-- Functions that give a number of a size, which begins behind the first bytes of a run of a frame.
local IN_RUN = {
  [1] = function(run, offset, otherwise)
    local first = offset + 1
    return function(frame)
      local at = frame[run]
      if at then return (byte(frame.data, at + first)) end
      return otherwise(frame)
    end
  end,
  [2] = function(run, offset, otherwise)
    local first, last = offset + 1, offset + 2
    return function(frame)
      local at = frame[run]
      if not at then return otherwise(frame) end
      local a, b = byte(frame.data, at + first, at + last)
      return a + b * 0x100
    end
  end,
  [4] = function(run, offset, otherwise)
    local first, last = offset + 1, offset + 4
    return function(frame)
      local at = frame[run]
      if not at then return otherwise(frame) end
      local a, b, c, d = byte(frame.data, at + first, at + last)
      return a + b * 0x100 + c * 0x10000 + d * 0x1000000
    end
  end,
}

-- A function that gives a number of a frame, as `value_of` does, or one group of its bits.
local function number_of(structure, name, group)
  local place = structure.places[name]
  local function otherwise(frame)
    local value = value_of(frame, name)
    return value and group and bits(value, group) or value
  end
  if not place or not place.is_number then return otherwise end
  local run, first, size = place.run, 0, place.z
  if group then
    first = floor(group.s / 8) -- bytes without bits of the group are not read
    size = floor((group.s + group.w - 1) / 8) - first + 1
  end
  local make = IN_RUN[size]
  if not make then return otherwise end
  local word = make(run, place.offset + first, otherwise)
  if not group then return word end
  local low, high = group.low / 2 ^ (first * 8), group.high / 2 ^ (first * 8)
  return function(frame)
    if not frame[run] then return otherwise(frame) end
    local value = word(frame)
    return (value % high - value % low) / low
  end
end

-- A function that gives the number at a path of a frame, or nil where it is absent; nil where the structure alone does
-- not tell which number that is.
local function number_at(structure, path, from)
  local head, name = path[from], path[from + 1]
  local field, groups = structure.names[head], structure.groups[head]
  if not field or field.k == "numbers" then return nil end
  if field.k == "struct" and name then
    local inner = number_at(STRUCTURES[field.s], path, from + 1)
    return inner and function(frame)
      local found = frame.inner[head]
      if found then return inner(found) end
    end
  end
  local group = groups and groups[name]
  if name and not group then return nil end
  return number_of(structure, head, group)
end

-- The number at a path, seen from a structure; 0 where the structure on the way is absent.
local function lookup(frame, path, from)
  local head, at_end = path[from], from == #path
  local here = frame
  while here do
    local inner = here.inner[head]
    if not at_end and inner and inner.s then return lookup(inner, path, from + 1) end
    local value = value_of(here, head)
    if value ~= nil then
      if at_end then return value end
      local group = here.s.groups[head] and here.s.groups[head][path[from + 1]]
      return group and bits(value, group) or 0
    end
    if here.s.names[head] then return 0 end
    here = here.up
  end
  return 0
end

-- The same; a path keeps how it is looked up from each structure.
local function get(frame, path)
  local structure = frame.s
  local number = path[structure]
  if number == nil then
    number = number_at(structure, path, 1) or false
    path[structure] = number
  end
  if number then return number(frame) or 0 end
  return lookup(frame, path, 1)
end

local function is_present(frame, present, left)
  local numbers = present.numbers
  if not numbers[1] then return left > 0 end
  local sum = get(frame, numbers[1])
  for index = 2, #numbers do sum = sum + get(frame, numbers[index]) end
  if present.value then return sum == present.value end
  return sum ~= 0
end

-- Whether another header stands where a part was announced: it says its own size and that of all that follows.
local function rival_stands(reader, rival, at, stop)
  local left = stop - at
  return left >= rival.size and left ~= rival.room and uint(reader.data, at + rival.own, 4) == rival.size
    and uint(reader.data, at + rival.rest, 4) == left - rival.size
end

-- ------------------------------------------------------------------------------------------------ state

local Reader = {}
Reader.__index = Reader

local function new_reader(data, budget)
  return setmetatable({ data = data, budget = budget, hidden = 0 }, Reader)
end

local function refuse(at, message)
  error({ refused = message, at = at }, 0)
end

local function plain(count)
  return format("%.0f", count)
end

local function hexadecimal(value)
  return format("0x%x", value)
end

local function plural(count, word)
  return format("%.0f %s%s", count, word, count == 1 and "" or "s")
end

local function in_bytes(count)
  return plural(count, "byte")
end

local function one_of(values)
  table.sort(values)
  for index, value in ipairs(values) do values[index] = hexadecimal(value) end
  return "one of " .. table.concat(values, ", ")
end

-- One of the library's sentences with its facts.
local function say(sentence, ...)
  return format(SENTENCES[sentence], ...)
end

-- The same of a field, by its name.
local function say_of(name, sentence, ...)
  return name .. ": " .. say(sentence, ...)
end

local function left_over(size)
  return say("left over", in_bytes(size))
end

local function append(parent, made)
  local children = parent.c
  if children then
    children[#children + 1] = made
  else
    parent.c = { made, nil, nil, nil } -- has room for some more
  end
end

-- A node below another, unless there are too many already; what is hidden is counted.
function Reader:node(parent, p, k, at, z)
  local made = { p = p, k = k, at = at, z = z }
  if not parent or parent.hidden or self.budget <= 0 then
    self.hidden = self.hidden + 1
    made.hidden = true
    return made
  end
  self.budget = self.budget - 1
  append(parent, made)
  return made
end

-- Makes the node of a run below another, like `node`, which itself has a run that comes first; false where only some of its fields are to be shown.
function Reader:run(parent, run, at)
  local count = #run.fields
  if parent.hidden then
    self.hidden = self.hidden + count
    return true
  end
  if self.budget < count then return false end
  self.budget = self.budget - count
  if parent.at == at and not parent.c and not parent.run then
    parent.run = run
  else
    append(parent, { run = run, at = at })
  end
  return true
end

local noted = false -- whether there is a note since a packet was shown

local function note(node, kind, message, requirement)
  noted = true
  node.x = node.x or {}
  for _, other in ipairs(node.x) do
    if requirement and other[3] == requirement then return end
  end
  node.x[#node.x + 1] = { kind, message, requirement }
end

function Reader:need(size, at, stop, name)
  if size > stop - at then
    refuse(at, say_of(name, "expected", in_bytes(size), plain(math.max(stop - at, 0))))
  end
end

-- ----------------------------------------------------------------------------------------------- lengths

local lengths = {}

function lengths.fixed(_, _, length) return length.n end

function lengths.counted(_, frame, length, _, _, field)
  local number = get(frame, length.path)
  if field.k == "text" then
    if length.per == 2 then
      if number % 2 == 1 then
        refuse(frame.at, say_of(length.path[#length.path], "odd", plain(number)))
      end
      return number
    end
    return number * 2
  end
  return floor(number / length.per)
end

function lengths.fill(_, frame, length)
  local taken = length.more
  for _, size in ipairs(length.sizes) do taken = taken + get(frame, size[1]) * size[2] end
  return (-taken) % length.boundary
end

function lengths.rest(_, _, _, at, stop, field)
  local left = stop - at
  return field.k == "text" and left - left % 2 or left
end

function lengths.terminated(reader, _, _, at, stop, field)
  local ends = terminator(reader.data, at, stop)
  if not ends then refuse(at, say_of(field.n, "unterminated", in_bytes(stop - at))) end
  return ends + 2 - at
end

function lengths.aligned(reader, frame, length, at, stop)
  if frame.packed and length.packed and length.packed[get(frame, length.selector)] then return 0 end
  local origin, boundary = frame.at, length.boundary
  local here = frame
  while here do
    if here.s.name == length.origin then
      origin = here.at
      break
    end
    here = here.up
  end
  if length.selector then boundary = length.boundaries[get(frame, length.selector)] or boundary end
  local size = (origin - at) % boundary
  if length.before then
    local function stands(where) return where + 2 <= stop and uint(reader.data, where, 2) == length.before end
    if stands(at) or not stands(at + size) then return 0 end
  end
  if length.cut_short and size > stop - at then return stop - at end
  return size
end

-- ------------------------------------------------------------------------------------- property values

local values = {}

local function count_of(reader, at, stop, least, name)
  if stop - at < 4 then refuse(at, say_of(name, "count missing", in_bytes(4), plain(stop - at))) end
  local count = uint(reader.data, at, 4)
  if count * least > stop - at - 4 then
    refuse(at, say_of(name, "elements above", in_bytes(stop - at - 4), plain(count)))
  end
  return count
end

function values.number(reader, parent, vt, at, stop)
  reader:need(vt.z, at, stop, vt.n)
  reader:node(parent, vt.p, vt.signed and "i" or "u", at, vt.z)
  return at + vt.z
end

function values.guid(reader, parent, vt, at, stop)
  reader:need(16, at, stop, vt.n)
  reader:node(parent, vt.p, "guid", at, 16)
  return at + 16
end

function values.nothing(_, _, _, at) return at end

function values.text(reader, parent, vt, at, stop)
  local ends = terminator(reader.data, at, stop)
  if not ends then refuse(at, say_of(vt.n, "unterminated", in_bytes(stop - at))) end
  reader:node(parent, vt.p, "text", at, ends + 2 - at).ends = 2
  return ends + 2
end

function values.blob(reader, parent, vt, at, stop)
  local count = count_of(reader, at, stop, 1, vt.n)
  reader:node(parent, "msmq.property.count", "u", at, 4)
  if count > 0 then reader:node(parent, vt.p, "bytes", at + 4, count) end
  return at + 4 + count
end

local function read_value(reader, parent, number, at, stop, depth)
  local vt = VARTYPES[number]
  if vt and values[vt.form] then return values[vt.form](reader, parent, vt, at, stop) end
  local element = number >= VECTOR and VARTYPES[number - VECTOR]
  if not element or element.form == "nothing" then
    refuse(at, say("variant type", hexadecimal(number)))
  end
  local count = count_of(reader, at, stop, element.least, element.n .. " vector")
  reader:node(parent, "msmq.property.count", "u", at, 4)
  at = at + 4
  if number == VECTOR + BYTE then
    if count > 0 then reader:node(parent, "msmq.property.vt_vector_ui1", "bytes", at, count) end
    return at + count
  end
  if element.form == "variant" and depth > MAX_DEPTH then refuse(at, "vectors of variants lie too deep") end
  for _ = 1, count do
    if element.form == "variant" then
      reader:need(2, at, stop, "the type of a variant")
      reader:node(parent, "msmq.property.vartype", "u", at, 2)
      at = read_value(reader, parent, uint(reader.data, at, 2), at + 2, stop, depth + 1)
    else
      at = values[element.form](reader, parent, element, at, stop)
    end
  end
  return at
end

-- ------------------------------------------------------------------------------------------------ fields

local kinds = {}

function kinds.u(reader, frame, node, field, at, stop)
  reader:need(field.z, at, stop, field.n)
  local value = field.z <= 4 and uint(reader.data, at, field.z) or 0
  local made = reader:node(node, field.p, field.k, at, field.z)
  made.value = value
  keep(frame, field.n, made)
  if field.known then
    local known = false
    for _, one in ipairs(field.known) do known = known or one == value end
    if not known then refuse(at, say_of(field.n, "expected", one_of({ table.unpack(field.known) }), hexadecimal(value))) end
  end
  return at + field.z
end

kinds.i = kinds.u

function kinds.flags(reader, frame, node, field, at, stop)
  reader:need(field.z, at, stop, field.n)
  local made = reader:node(node, field.p, field.k, at, field.z)
  made.g, made.value = field.g, uint(reader.data, at, field.z)
  keep(frame, field.n, made)
  return at + field.z
end

function kinds.guid(reader, frame, node, field, at, stop)
  reader:need(16, at, stop, field.n)
  keep(frame, field.n, reader:node(node, field.p, field.k, at, 16))
  return at + 16
end

function kinds.seq(reader, frame, node, field, at, stop)
  reader:need(8, at, stop, field.n)
  keep(frame, field.n, reader:node(node, field.p, field.k, at, 8))
  return at + 8
end

function kinds.numbers(reader, frame, node, field, at, stop)
  local count = get(frame, field.count)
  reader:need(count * field.z, at, stop, field.n)
  keep(frame, field.n, { value = { at = at, count = count, z = field.z } })
  for _ = 1, count do
    reader:node(node, field.p, "u", at, field.z)
    at = at + field.z
  end
  return at
end

function kinds.values(reader, frame, node, field, at, stop)
  local numbers = value_of(frame, field.ids)
  for index = 0, numbers.count - 1 do
    local number = uint(reader.data, numbers.at + index * numbers.z, numbers.z)
    local property = PROPERTIES[number]
    if not property then
      refuse(at, say_of(field.ids, "identifier", plain(number)))
    end
    local made = reader:node(node, field.p, "part", at)
    made.t = property[1] .. ": " .. vartype_name(property[2])
    local after = read_value(reader, made, property[2], at, stop, 1)
    made.z, at = after - at, after
  end
  return at
end

function kinds.bytes(reader, frame, node, field, at, stop)
  local size = field.length(reader, frame, field.len, at, stop, field)
  reader:need(size, at, stop, field.n)
  local made = size > 0 and reader:node(node, field.p, field.k, at, size)
  keep(frame, field.n, made or { at = at, z = 0 })
  if field.inside and made and not made.hidden then reader:inside(made, field.inside, at, size) end
  return at + size
end

function kinds.text(reader, frame, node, field, at, stop)
  if field.offset then
    local units, origin = get(frame, field.offset.path), offset_of(frame, field.offset.origin)
    if at - origin ~= units * 2 then
      refuse(frame.at, say_of(field.offset.path[1], "offset", plain(floor((at - origin) / 2)), plain(units)))
    end
  end
  local size = field.length(reader, frame, field.len, at, stop, field)
  reader:need(size, at, stop, field.n)
  local made = size > 0 and reader:node(node, field.p, field.k, at, size)
  if made and field.len.k == "terminated" then made.ends = 2 end
  keep(frame, field.n, made or { at = at, z = 0 })
  return at + size
end

local function part(reader, frame, node, field, structure, at, stop)
  local inner = new_frame(structure, reader.data, at, frame)
  keep(frame, field.n, inner)
  local made = reader:node(node, field.p, "part", at)
  made.t = field.n ~= structure.name and field.n .. ": " .. structure.name or nil
  return reader:structure(inner, made, at, stop)
end

function kinds.struct(reader, frame, node, field, at, stop)
  return part(reader, frame, node, field, STRUCTURES[field.s], at, stop)
end

function kinds.choice(reader, frame, node, field, at, stop)
  local selected = get(frame, field.sel)
  local form = field.forms[selected]
  if form == nil then
    local known = {}
    for value in pairs(field.forms) do known[#known + 1] = value end
    refuse(frame.at, say_of(table.concat(field.sel, "."), "expected", one_of(known), hexadecimal(selected)))
  end
  if not form then return at end
  return part(reader, frame, node, field, STRUCTURES[form], at, stop)
end

-- Whether the elements of a list fit only without their paddings.
local function is_packed(reader, frame, structure, count, at, stop)
  local stated = frame.at + get(frame, frame.s.extent.path)
  local function reached(packed)
    local trial, pos = new_reader(reader.data, 0), at
    for _ = 1, count do
      local inner = new_frame(structure, reader.data, pos, frame)
      inner.packed = packed
      local ok, after = pcall(trial.structure, trial, inner, { hidden = true }, pos, stop)
      if not ok then
        if type(after) ~= "table" or not after.refused then error(after, 0) end
        return stop + 1
      end
      pos = after
    end
    return pos
  end
  if reached(false) <= stated then return false end
  local ends = reached(true)
  return stated - 4 < ends and ends <= stated
end

local function read_items(reader, frame, node, field, count, at, stop, packed)
  local structure = STRUCTURES[field.s]
  for index = 1, count do
    local made = reader:node(node, field.p, "part", at)
    made.t = format("%s %.0f: %s", field.n, index, structure.name)
    local inner = new_frame(structure, reader.data, at, frame)
    inner.packed = packed
    if index == 1 then frame.first = inner end
    at = reader:structure(inner, made, at, stop)
  end
  return at
end

function kinds.items(reader, frame, node, field, at, stop)
  local structure, count, extent = STRUCTURES[field.s], get(frame, field.count), frame.s.extent
  local least = math.max(structure.least, 1)
  if count * least > stop - at then
    refuse(at, say_of(table.concat(field.count, "."), "count above", plain(floor((stop - at) / least)), plain(count)))
  end
  if not structure.packs or not extent then return read_items(reader, frame, node, field, count, at, stop, false) end
  -- Most fit with their paddings; otherwise what was read of them is dropped.
  local budget, hidden, reached, problem, children = reader.budget, reader.hidden, reader.reached, reader.problem, #(node.c or NONE)
  local ok, after = pcall(read_items, reader, frame, node, field, count, at, stop, false)
  if ok and after <= frame.at + get(frame, extent.path) and reader.problem == problem then return after end
  reader.budget, reader.hidden, reader.reached, reader.problem = budget, hidden, reached, problem
  for index = #(node.c or NONE), children + 1, -1 do node.c[index] = nil end
  return read_items(reader, frame, node, field, count, at, stop, is_packed(reader, frame, structure, count, at, stop))
end

-- ------------------------------------------------------------------------------------------------ rules

-- The groups of adjacent bits in a mask.
local function groups_of(mask)
  local groups, shift = {}, 0
  while mask > 0 do
    local width = 0
    while mask % 2 == 1 do mask, width = (mask - 1) / 2, width + 1 end
    if width > 0 then groups[#groups + 1] = with_powers({}, shift, width) end
    while mask > 0 and mask % 2 == 0 do mask, width = mask / 2, width + 1 end
    shift = shift + width
  end
  return groups
end

local function with_bits(value, groups)
  for _, group in ipairs(groups) do
    if bits(value, group) ~= 0 then return true end
  end
  return false
end

local COMPARE = {
  ["=="] = function(found, value) return found == value end,
  ["!="] = function(found, value) return found ~= value end,
  ["<="] = function(found, value) return found <= value end,
  ["in"] = function(found, value) return value[found] == true end,
  ["not in"] = function(found, value) return not value[found] end,
  ["within"] = function(found, value) return value[1] <= found and found <= value[2] end,
  ["with bits"] = with_bits,
  ["without bits"] = function(found, value) return not with_bits(found, value) end,
}

-- The frame that has the field at a path, and where in the path the field is; nil where a part is not there.
local function place(frame, path)
  local here, index = frame, 1
  while index < #path and here.inner[path[index]] and here.inner[path[index]].s do
    here, index = here.inner[path[index]], index + 1
  end
  return here, index
end

-- Whether a comparison holds; nil for a field that is not there. And the value.
local function compare(frame, row)
  local here, index = place(frame, row.path)
  local name = row.path[index]
  if not row.test then
    local there = place_of(here, name) ~= nil
    if row.op == "is there" then return there, 0 end
    return not there, 1
  end
  if type(value_of(here, name)) ~= "number" then return nil, 0 end
  local value = get(frame, row.path)
  return row.test(value, row.value), value
end

-- Notes in a comparison how it is made.
local function prepare(row, structure)
  row.test = COMPARE[row.op]
  if row.op == "with bits" or row.op == "without bits" then row.value = groups_of(row.value) end
  local test, value, number = row.test, row.value, row.test and number_at(structure, row.path, 1)
  row.holds = number and function(frame)
    local found = number(frame)
    if found then return test(found, value) end
  end or function(frame) return (compare(frame, row)) end
  for _, each in ipairs(row.when or {}) do prepare(each, structure) end
end

-- The path of the number that a comparison reads, without a group of its bits; nil where the structure alone does not
-- tell which number that is.
local function number_path(row, structure)
  if not row.test or not number_at(structure, row.path, 1) then return nil end
  local path, inner = {}, structure
  for _, name in ipairs(row.path) do
    path[#path + 1] = name
    local field = inner.names[name]
    if field.k ~= "struct" then return path end
    inner = STRUCTURES[field.s]
  end
end

-- Whether all conditions of a rule read the number that the rule is about.
local function reads_only(rule, structure, name)
  for _, row in ipairs(rule.when or {}) do
    if table.concat(number_path(row, structure) or {}, ".") ~= name then return false end
  end
  return true
end

-- Divides the rules of a structure: several about one number are a screen, which keeps for values of the number the
-- rules that these may violate, because a field of flags has few values.
local function divide_rules(structure)
  local screens = {}
  structure.screens, structure.others = {}, {}
  for _, rule in ipairs(structure.rules) do
    prepare(rule, structure)
    local path = number_path(rule, structure)
    local name = table.concat(path or { rule.id }, ".")
    rule.reads_only = reads_only(rule, structure, name)
    screens[name] = screens[name] or { number = path and number_at(structure, path, 1), rules = {}, suspects = {}, count = 0 }
    table.insert(screens[name].rules, rule)
  end
  for _, screen in pairs(screens) do
    if screen.number and #screen.rules > 2 then
      table.insert(structure.screens, screen)
    else
      for _, rule in ipairs(screen.rules) do table.insert(structure.others, rule) end
    end
  end
end

for _, structure in ipairs(STRUCTURES) do
  if structure.rules then divide_rules(structure) end
end

-- The node that shows a field of a frame, or has the notes about a field of a run; nil where there is none, or it is
-- hidden.
local function node_of(frame, name)
  local own, place = frame.inner[name], frame.s.places[name]
  local node = own and (own.node or own)
  if node then return node.p and not node.hidden and node or nil end
  local shown = frame.node.run == (place and place.run) and frame.node or nil
  for _, child in ipairs(place and frame.node.c or NONE) do
    if child.run == place.run then shown = child end
  end
  if not place or not shown then return nil end
  shown.notes = shown.notes or {}
  shown.notes[name] = shown.notes[name] or {}
  return shown.notes[name]
end

local function is_asked(frame, rule)
  local when = rule.when or NONE
  for index = 1, #when do
    if not when[index].holds(frame) then return false end
  end
  return true
end

local function is_violated(frame, rule)
  return rule.holds(frame) == false and is_asked(frame, rule)
end

-- The rules of a screen that a number may violate.
local function suspects_of(screen, frame, value)
  local found = {}
  for _, rule in ipairs(screen.rules) do
    if rule.holds(frame) == false and (not rule.reads_only or is_asked(frame, rule)) then found[#found + 1] = rule end
  end
  if screen.count == MAX_KEPT then screen.suspects, screen.count = {}, 0 end
  screen.suspects[value], screen.count = found, screen.count + 1
  return found
end

-- Whether a structure satisfies all its rules.
local function is_sound(frame)
  local screens, others = frame.s.screens, frame.s.others
  for index = 1, #screens do
    local screen = screens[index]
    local value = screen.number(frame)
    local suspects = value and (screen.suspects[value] or suspects_of(screen, frame, value)) or NONE
    for at = 1, #suspects do
      if is_asked(frame, suspects[at]) then return false end
    end
  end
  for index = 1, #others do
    if is_violated(frame, others[index]) then return false end
  end
  return true
end

-- Notes the violated rules of a structure, of those that compare numbers.
local function judge(frame, node)
  if node.hidden or not frame.s.rules or is_sound(frame) then return end
  for _, rule in ipairs(frame.s.rules) do
    if is_violated(frame, rule) then
      local _, value = compare(frame, rule)
      local here, index = place(frame, rule.path)
      note(node_of(here, rule.path[index]) or node, rule.level, format("%s: %s is %.0f and has to be %s",
        rule.id, table.concat(rule.path, "."), value, rule.words), rule.id)
    end
  end
end

-- --------------------------------------------------------------------------------------------- structures

for _, structure in ipairs(STRUCTURES) do
  structure.outside = {}
  for _, step in ipairs(structure.steps) do
    local field = step.field
    step.read = field and kinds[field.k]
    step.is_plain = field and not (field.outside or field.present or field.rival)
    step.narrows = structure.extent and step.last == structure.extent.path[1]
    if field and field.outside then structure.outside[#structure.outside + 1] = field end
  end
  for _, field in ipairs(structure.fields) do field.length = field.len and lengths[field.len.k] end
end

-- Reads the fields of a run; gives the offset behind it.
local function read_run(reader, frame, node, run, at, stop)
  if run.z <= stop - at and reader:run(node, run, at) then
    frame[run] = at
    return at + run.z
  end
  for _, row in ipairs(run.fields) do
    at = kinds[row.field.k](reader, frame, node, row.field, at, stop)
    reader.reached, node.z = at, at - node.at
  end
  return at
end

-- Reads a structure from `at`, which may reach to `stop`; gives the offset behind it.
function Reader:structure(frame, node, at, stop)
  local structure = frame.s
  local limit, extent, closed = stop, structure.extent, not structure.extent
  local steps = structure.steps
  node.at, frame.node = at, node
  for index = 1, #steps do
    local step, there = steps[index], true
    local field, run = step.field, step.run
    if run then
      at = read_run(self, frame, node, run, at, limit)
    elseif step.is_plain then
      at = step.read(self, frame, node, field, at, limit)
    else
      if field.outside and not closed then
        if at ~= limit then refuse(at, left_over(limit - at)) end
        limit, closed = stop, true
      end
      there = not field.present or is_present(frame, field.present, limit - at)
      if there and field.rival then
        local lost = self.outside_only and frame.up and at == limit
        there = not lost and not rival_stands(self, field.rival, at, limit)
      end
      if there then at = step.read(self, frame, node, field, at, limit) end
    end
    if there then
      self.reached = at
      node.z = at - node.at
    end
    if step.narrows then
      local size = get(frame, extent.path)
      limit = frame.at + floor((size + extent.multiple - 1) / extent.multiple) * extent.multiple
      if limit > stop then
        local name, multiple = extent.path[#extent.path], extent.multiple
        local most = in_bytes(floor((stop - frame.at) / multiple) * multiple)
        local message = say_of(name, "size above", most, plain(size))
        if multiple > 1 then message = say_of(name, "padded size above", most, plain(size), plain(limit - frame.at)) end
        if not self.lax then refuse(frame.at, message) end
        self.problem = self.problem or { refused = message, at = frame.at }
        limit = stop
      else
        for _, last in ipairs(structure.outside) do
          if is_present(frame, last.present, 0) and limit == stop and not self.outside_only then
            self.tried_inside = true
            limit = limit - STRUCTURES[last.s].fixed
          end
        end
      end
      if at > limit then refuse(at, say_of(extent.path[#extent.path], "size below", in_bytes(at - frame.at), plain(size))) end
    end
  end
  if not closed and at ~= limit then refuse(at, left_over(limit - at)) end
  if structure.rules and (frame.up or structure.name ~= "UserMessage") then judge(frame, node) end
  node.z = at - node.at
  if structure.name == "UserMessage" and not frame.up then self:carried(frame) end
  node.frame = frame
  return at
end

-- Tries to read a structure that fills some bytes; the node of the bytes gets its fields as children.
function Reader:inside(node, inside, at, size)
  local begins = inside.begins
  if size == 0 or sub(self.data, at + 1, at + #begins) ~= begins then return end
  local budget, hidden, kept = self.budget, self.hidden, node.c
  node.c = nil
  local frame = new_frame(STRUCTURES[inside.s], self.data, at, nil)
  local made = { at = at }
  local ok, after = pcall(self.structure, self, frame, made, at, at + size)
  if ok and after == at + size then
    node.c, node.frame, node.x, node.run, node.notes = made.c, frame, made.x, made.run, made.notes
  else
    if not ok and not (type(after) == "table" and after.refused) then error(after, 0) end
    self.budget, self.hidden, node.c = budget, hidden, kept
  end
end

local ENCRYPTED = { "Flags", "EB" }

-- Reads a directory message out of the body of a message; what is wrong with it is noted there.
function Reader:carried(frame)
  local user, properties = frame.inner.UserHeader, frame.inner.MessagePropertiesHeader
  local body = properties and properties.inner.MessageBody
  if not body or body.z == 0 then return end
  local queue = user.inner.DestinationQueue
  local number, name = queue and value_of(queue, "PrivateQueueIdentifier"), ""
  local direct = queue and queue.inner.DirectFormatName
  if direct then name = text(self.data, direct.at, direct.z):lower() end
  local class, found = value_of(properties, "MessageClass"), nil
  for kind, place in pairs(DIRECTORY_QUEUES) do
    if number == place[1] or (direct and name:sub(-#place[2]) == place[2]) then found = kind end
  end
  if not found then return end
  local returned = found == "REPLICATION" and class >= RETURNED[1] and class <= RETURNED[2]
  if class ~= 0 and not returned then return end
  local security = frame.inner.SecurityHeader
  if security and get(security, ENCRYPTED) == 1 then return end
  local at, stop = body.at, body.at + body.z
  local structure = STRUCTURES.ChangeNotificationMessage
  if found == "REPLICATION" then
    local base = STRUCTURES.BaseReplicationHeader
    structure = body.z >= base.least and STRUCTURES[OPERATIONS[byte(self.data, at + base.least)]] or base
  end
  local made = { at = at, k = "part", p = "msmq." .. structure.name:lower() }
  body.c = { made }
  local inner = new_frame(structure, self.data, at, nil)
  local ok, after = pcall(self.structure, self, inner, made, at, stop)
  if not ok then
    if type(after) ~= "table" or not after.refused then error(after, 0) end
    note(made, "malformed", after.refused)
  elseif after ~= stop then
    note(made, "malformed", left_over(stop - after))
  end
  frame.carried = inner
end

-- Reads a structure at an offset; gives its node, its frame, the offset behind what was understood, and what
-- is wrong with it. Never raises but for faults of this program.
local function read(reader, structure, at, stop)
  local function attempt()
    local frame, node = new_frame(structure, reader.data, at, nil), { p = "msmq." .. structure.name:lower(), k = "part", at = at, z = 0 }
    reader.problem, reader.reached = nil, at
    local ok, after = pcall(reader.structure, reader, frame, node, at, stop)
    if ok then return node, frame, after, reader.problem end
    if type(after) ~= "table" or not after.refused then error(after, 0) end
    return node, frame, reader.reached, reader.problem or after
  end
  local budget, hidden = reader.budget, reader.hidden
  reader.tried_inside, reader.outside_only = false, false
  local node, frame, after, problem = attempt()
  if problem and reader.tried_inside then
    reader.budget, reader.hidden, reader.outside_only = budget, hidden, true
    node, frame, after, problem = attempt()
  end
  return node, frame, after, problem
end

-- -------------------------------------------------------------------------------------------- dissector
-- Shows what the reader found, puts packets together that span segments, and links what belongs together.
--
-- Where nobody looks at the tree of a packet, only the fields that a filter or a column asks for are added.

local msmq = Proto("msmq", "Message Queuing")
local single = Proto("msmq_structure", "Message Queuing, one structure")

local BUDGET = 100000 -- fields of one dissection; Wireshark itself gives up at a million items
local BASE, RIDER = STRUCTURES.BaseHeader.least, STRUCTURES.SessionHeader.least

-- Methods by their names; `tree:add_le(...)` would search for each of them again.
local add_item, add_le_item, append_text = TreeItem.add, TreeItem.add_le, TreeItem.append_text
local set_text, set_generated, is_referenced = TreeItem.set_text, TreeItem.set_generated, TreeItem.referenced
local range_of = Tvb.range

local FIELDS, UNITS, LABELS = {}, {}, {}
local list = {}

for _, one in ipairs(DECLARED) do
  local make, field = ProtoField[one.kind], nil
  local base_of = one.base and base[one.base]
  if one.kind == "none" or one.kind == "string" or one.kind == "bytes" or one.kind == "guid" then
    field = one.kind == "string" and make(one.abbr, one.name, base.UNICODE, one.doc)
      or one.kind == "bytes" and make(one.abbr, one.name, base.SPACE, one.doc)
      or make(one.abbr, one.name, one.doc)
  elseif one.kind == "absolute_time" then
    field = make(one.abbr, one.name, base.UTC, one.doc)
  elseif one.kind == "bool" then
    field = make(one.abbr, one.name, one.width, { "Set", "Not set" }, one.mask, one.doc)
  else
    local names = one.names
    if one.properties then
      names = {}
      for number, property in pairs(PROPERTIES) do names[number] = property[1] end
    end
    field = make(one.abbr, one.name, base_of, names, one.mask, one.doc)
  end
  FIELDS[one.abbr], UNITS[one.abbr], LABELS[one.abbr] = field, one.unit, one.labels
  list[#list + 1] = field
end

-- The fields of Wireshark beside those of the layouts, so that nothing is looked up by name for each packet.
for _, structure in ipairs(STRUCTURES) do
  for _, field in ipairs(structure.fields) do
    field.shown, field.unit, field.labels = FIELDS[field.p], UNITS[field.p], LABELS[field.p]
    -- Lists, because tables for each group would not stay in the caches of a processor.
    local groups = field.g
    if groups then groups.shown, groups.labelled = {}, {} end
    for index, group in ipairs(groups or {}) do
      groups.shown[index], group.labels = FIELDS[group[1]], LABELS[group[1]]
      if group.labels then groups.labelled[index] = with_powers(group, group[2], group[3]) end
    end
  end
end

local function reading(abbr, kind, name, ...)
  FIELDS["msmq." .. abbr] = ProtoField[kind]("msmq." .. abbr, name, ...)
  list[#list + 1] = FIELDS["msmq." .. abbr]
end

reading("packet", "string", "Packet", base.UNICODE, "Which structure it is")
reading("destination", "string", "Destination", base.UNICODE, "Format names of the destination queues")
reading("admin_queue", "string", "Administration queue", base.UNICODE, "Format names of the administration queues")
reading("response_queue", "string", "Response queue", base.UNICODE, "Format names of the response queues")
reading("format_name", "string", "Format name", base.UNICODE, "Name of a queue in a list")
reading("message_identifier", "string", "Message identifier", base.UNICODE, "Source queue manager and number")
reading("correlation_identifier", "string", "Correlation identifier", base.UNICODE, "The message that is meant; none if it is zero")
reading("label", "string", "Label", base.UNICODE, "Label without its terminator")
reading("body", "string", "Body", base.UNICODE, "Body as text, where its type says so")
reading("sender", "string", "Sender", base.UNICODE, "SID of the sender, or GUID of its queue manager")
reading("subqueue_name", "string", "Subqueue", base.UNICODE, "Subqueue of the message")
reading("target_subqueue_name", "string", "Target subqueue", base.UNICODE, "Where a pending move goes")
reading("address", "string", "Address", base.UNICODE, "Network address as text")
reading("requirement", "string", "Requirement", base.UNICODE, "Requirement that is broken")
reading("unrecognized", "bytes", "No packet", base.SPACE, "Bytes that belong to no packet")
reading("response_in", "framenum", "Response in", base.NONE, frametype.RESPONSE)
reading("response_to", "framenum", "Response to", base.NONE, frametype.REQUEST)
reading("response_time", "relative_time", "Response time", "Time since the request")
reading("acknowledges", "framenum", "Acknowledges", base.NONE, frametype.ACK)

local EXPERTS = {
  malformed = ProtoExpert.new("msmq.malformed", "Cannot be read", expert.group.MALFORMED, expert.severity.ERROR),
  must = ProtoExpert.new("msmq.must", "Breaks a requirement", expert.group.PROTOCOL, expert.severity.WARN),
  should = ProtoExpert.new("msmq.should", "Breaks a recommendation", expert.group.PROTOCOL, expert.severity.NOTE),
  hidden = ProtoExpert.new("msmq.hidden", "Fields that are not shown", expert.group.PROTOCOL, expert.severity.NOTE),
  fault = ProtoExpert.new("msmq.fault", "Fault of the dissector", expert.group.DEBUG, expert.severity.ERROR),
}
local experts = {}
for _, one in pairs(EXPERTS) do experts[#experts + 1] = one end

msmq.fields, msmq.experts = list, experts
msmq.prefs.reassemble = Pref.bool("Put packets together that span TCP segments", true, "TCP has to allow it as well")

local tcp_stream = Field.new("tcp.stream")
local handle -- of the dissector, as soon as it is registered

-- ------------------------------------------------------------------------------------------------ words

local function duration(count, unit)
  if unit == "s" and count == FOREVER then return "for ever" end
  local seconds = unit == "ms" and floor(count / 1000) or count
  if seconds < 60 then return unit == "ms" and format("%.3f s", count / 1000) or format("%.0f s", seconds) end
  local parts = {}
  for _, step in ipairs({ { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } }) do
    local number = floor(seconds / step[1])
    seconds = seconds - number * step[1]
    if number > 0 then parts[#parts + 1] = format("%.0f %s", number, step[2]) end
  end
  return table.concat(parts, " ")
end

local function shortened(value)
  value = value:gsub("[%c]", " ")
  if #value <= 80 then return value end
  local cut = 77
  while cut > 0 and byte(value, cut + 1) >= 0x80 and byte(value, cut + 1) < 0xC0 do cut = cut - 1 end
  return value:sub(1, cut) .. "..."
end

-- The format name of a queue, as the library writes it; nil where its host is not known.
local function format_name(data, queue, host)
  local kind = queue.s.name
  if kind == "MQFFormatNameElement" then
    return queue.inner.FormatName and format_name(data, queue.inner.FormatName, host)
  elseif queue.inner.DirectFormatName then
    local at = queue.inner.DirectFormatName
    return "DIRECT=" .. text(data, at.at, at.z)
  elseif kind == "PublicQueueFormatName" then
    return "PUBLIC=" .. guid(data, queue.at):upper()
  elseif kind == "MQFDistributionQueueFormatName" then
    return "DL=" .. guid(data, queue.at):upper()
  elseif kind == "PrivateQueueFormatName" then
    host = guid(data, queue.at)
  end
  local number = value_of(queue, "PrivateQueueIdentifier")
  return host and number and format("PRIVATE=%s\\%08X", host:upper(), number) or nil
end

local function sid(data, at, size)
  if size < 8 or byte(data, at + 1) ~= 1 or byte(data, at + 2) > 15 or size ~= 8 + 4 * byte(data, at + 2) then return nil end
  local high, low = byte(data, at + 3) * 256 + byte(data, at + 4), 0
  for i = at + 5, at + 8 do low = low * 256 + byte(data, i) end
  local parts = { "S-1", high == 0 and format("%.0f", low) or format("0x%04x%08x", high, low) }
  for i = at + 8, at + size - 4, 4 do parts[#parts + 1] = format("%.0f", uint(data, i, 4)) end
  return table.concat(parts, "-")
end

local function address(data, kind, at, size)
  if kind == 1 and size >= 4 then
    return format("%.0f.%.0f.%.0f.%.0f", byte(data, at + 1, at + 4))
  elseif kind == 6 and size >= 16 then
    local parts = {}
    for i = 0, 14, 2 do parts[#parts + 1] = format("%x", byte(data, at + i + 1) * 256 + byte(data, at + i + 2)) end
    return table.concat(parts, ":")
  end
end

local ADMIN_FORM, RESPONSE_FORM, SENDER_FORM = { "Flags", "AQ" }, { "Flags", "RQ" }, { "Flags", "ST" }
local REFUSED, PING_REFUSED = { "InternalHeader", "Flags", "CS" }, { "Flags", "RF" }
local BASE_FLAGS = { "BaseHeader", "Flags" }

-- What fields of a structure mean together: pairs of a name and a function that gives a text or nothing.
local READINGS = {}

local function guid_at(data, frame, name)
  local at = offset_of(frame, name)
  return at and guid(data, at)
end

local function queue_at(data, frame, name, host)
  return frame.inner[name] and format_name(data, frame.inner[name], host)
end

local function destination(data, frame)
  return queue_at(data, frame, "DestinationQueue", guid_at(data, frame, "QueueManagerAddress"))
end

local function admin_queue(data, frame)
  local host = get(frame, ADMIN_FORM) == 2 and "SourceQueueManager" or "QueueManagerAddress"
  return queue_at(data, frame, "AdminQueue", guid_at(data, frame, host))
end

local function response_queue(data, frame)
  local kind = get(frame, RESPONSE_FORM)
  if kind == 1 then return admin_queue(data, frame) end
  if kind == 4 then
    local admin = admin_queue(data, frame)
    return queue_at(data, frame, "ResponseQueue", admin and admin:match("^PRIVATE=([%x-]+)"))
  end
  local host = kind == 2 and "SourceQueueManager" or "QueueManagerAddress"
  return queue_at(data, frame, "ResponseQueue", guid_at(data, frame, host))
end

local function message_identifier(data, frame)
  local source, number = guid_at(data, frame, "SourceQueueManager"), value_of(frame, "MessageID")
  return source and number and format("%s\\%.0f", source, number)
end

READINGS.UserHeader = {
  { "destination", destination },
  { "admin_queue", admin_queue },
  { "response_queue", response_queue },
  { "message_identifier", message_identifier },
}

local function label(data, frame)
  local place = frame.inner.Label
  return place and place.z > 2 and text(data, place.at, place.z)
end

local function body(data, frame)
  local place, kind = frame.inner.MessageBody, value_of(frame, "BodyType")
  if not place or (kind ~= 31 and kind ~= 8) or place.z % 2 ~= 0 then return nil end
  local security = frame.up and frame.up.inner.SecurityHeader
  if security and get(security, ENCRYPTED) ~= 0 then return nil end
  -- A text with a terminator is none if it has characters behind it.
  local ends = kind == 31 and terminator(data, place.at, place.at + place.z)
  if ends and ends + 2 < place.at + place.z then return nil end
  return text(data, place.at, place.z)
end

local function correlation_identifier(data, frame)
  local place = place_of(frame, "CorrelationID")
  if not place or not find(sub(data, place.at + 1, place.at + place.z), "[^%z]") then return nil end
  return format("%s\\%.0f", guid(data, place.at), uint(data, place.at + 16, 4))
end

READINGS.MessagePropertiesHeader = {
  { "label", label },
  { "body", body },
  { "correlation_identifier", correlation_identifier },
}

local function sender(data, frame)
  local inner = frame.inner.SecurityData
  local place, kind = inner and inner.inner.SecurityID, get(frame, SENDER_FORM)
  if not place then return nil end
  return kind == 1 and sid(data, place.at, place.z) or kind == 2 and place.z == 16 and guid(data, place.at)
end
READINGS.SecurityHeader = { { "sender", sender } }

local function name_at(field)
  return function(data, frame)
    local place = place_of(frame, field)
    return place and uint(data, place.at, 2) > 0 and text(data, place.at, place.z)
  end
end
READINGS.SubqueueHeader = {
  { "subqueue_name", name_at("SubqueueName") },
  { "target_subqueue_name", name_at("TargetSubqueueName") },
}

local function host(data, frame)
  local place = place_of(frame, "Address")
  return place and address(data, value_of(frame, "AddressType"), place.at, place.z)
end
for _, name in ipairs({ "ExtendedAddressHeader", "UserHeaderAddress", "TA_ADDRESS" }) do
  READINGS[name] = { { "address", host } }
end

-- The names in one of the lists of a MultiQueueFormatHeader.
local function listed(name)
  return function(data, frame)
    local list = frame.up
    local lists = list and list.up
    return lists and lists.inner[name] == list and format_name(data, frame)
  end
end
READINGS.MQFFormatNameElement = {
  { "format_name", format_name },
  { "destination", listed("Destination") },
  { "admin_queue", listed("Administration") },
  { "response_queue", listed("Response") },
}

for _, readings in pairs(READINGS) do
  for _, one in ipairs(readings) do one.shown = FIELDS["msmq." .. one[1]] end
end

-- --------------------------------------------------------------------------------------------- the tree

-- Shows what is wrong with a node.
local function show_notes(notes, tree)
  for _, wrong in ipairs(notes) do
    tree:add_proto_expert_info(EXPERTS[wrong[1]], wrong[2])
    if wrong[3] then tree:add(FIELDS["msmq.requirement"], wrong[3]):set_generated() end
  end
end

local function append_meaning(item, data, at, size, unit, labels)
  local label = labels and labels[uint(data, at, size)]
  if label then
    append_text(item, " (" .. label .. ")")
  elseif unit then
    append_text(item, " (" .. duration(uint(data, at, size), unit) .. ")")
  end
end

local adders = {}

function adders.part(field, tree, range, node)
  local item = add_item(tree, field, range)
  if node.t then set_text(item, node.t) end
  return item
end

function adders.text(field, tree, _, node, tvb, data)
  local size = node.z - (node.ends or 0)
  local range, item = range_of(tvb, node.at, size), nil
  local units = sub(data, node.at + 1, node.at + size)
  if find(units, "[\216-\223]") or find(units, "[\254\255]\255") then
    -- Wireshark takes the unit behind half a surrogate for its other half, whatever it is, and keeps U+FFFF.
    item = add_item(tree, field, range, text(data, node.at, size))
  else
    item = tree:add_packet_field(field, range, ENC_UTF_16 + ENC_LITTLE_ENDIAN)
  end
  if node.ends then item:set_len(node.z) end
  return item
end

function adders.seq(field, tree, range) return add_item(tree, field, range) end

function adders.bytes(field, tree, range) return add_item(tree, field, range) end

local function add_number(field, tree, range, node, _, data)
  local item = add_le_item(tree, field, range)
  local unit, labels = UNITS[node.p], LABELS[node.p]
  if unit or labels then append_meaning(item, data, node.at, node.z, unit, labels) end
  return item
end

-- Shows bits; all of them, or those that are asked for.
local function show_groups(groups, tree, range, data, at, size, all)
  local shown, labelled = groups.shown, groups.labelled
  for index = 1, #shown do
    local field = shown[index]
    if all or is_referenced(tree, field) then
      local bit, group = add_le_item(tree, field, range), labelled[index]
      local label = group and group.labels[bits(uint(data, at, size), group)]
      if label then append_text(bit, " (" .. label .. ")") end
    end
  end
end

for _, structure in ipairs(STRUCTURES) do
  structure.readings = READINGS[structure.name]
  for _, step in ipairs(structure.steps) do
    local run = step.run
    if run then run.shown, run.offsets, run.sizes, run.adds, run.more = {}, {}, {}, {}, {} end
    for index, row in ipairs(run and run.fields or NONE) do
      local field = row.field
      local add = (field.k == "seq" or field.k == "bytes") and add_item or add_le_item
      run.shown[index], run.offsets[index], run.sizes[index], run.adds[index] = field.shown, row.offset, row.z, add
      run.more[index] = (field.g or field.unit or field.labels) and field or false
    end
  end
end

-- Shows the fields of a run; all of them, or those that are asked for or wrong.
local function show_run(node, tvb, tree, data, all)
  local run, from, noted_fields = node.run, node.at, node.notes
  local shown, offsets, sizes, adds, more = run.shown, run.offsets, run.sizes, run.adds, run.more
  for index = 1, #shown do
    local field, item, detail = shown[index], tree, more[index]
    local notes = noted_fields and noted_fields[run.fields[index].field.n]
    local is_shown = all or is_referenced(tree, field)
    if is_shown or notes or detail then
      local at, size = from + offsets[index], sizes[index]
      local range = range_of(tvb, at, size)
      if is_shown then item = adds[index](tree, field, range) end
      if detail then
        if is_shown and not detail.g then append_meaning(item, data, at, size, detail.unit, detail.labels) end
        if detail.g then show_groups(detail.g, item, range, data, at, size, all) end
      end
      if notes and notes.x then show_notes(notes.x, item) end
    end
  end
end

-- Shows a node and all below it; all, or what is asked for.
local function show(node, tvb, tree, data, all)
  if not node.p then return show_run(node, tvb, tree, data, all) end
  local field, item = FIELDS[node.p], tree
  local is_shown = all or is_referenced(tree, field)
  if is_shown or node.g then
    local range = range_of(tvb, node.at, node.z or 0)
    if is_shown then item = (adders[node.k] or add_number)(field, tree, range, node, tvb, data) end
    if node.g then show_groups(node.g, item, range, data, node.at, node.z, all) end
  end
  if node.run then show_run(node, tvb, item, data, all) end
  local children, frame = node.c or NONE, node.frame
  for index = 1, #children do show(children[index], tvb, item, data, all) end
  for _, one in ipairs(frame and frame.s.readings or NONE) do
    local value = (all or is_referenced(tree, one.shown)) and one[2](data, frame)
    if value and value ~= "" then set_generated(add_item(item, one.shown, value)) end
  end
  if node.x then show_notes(node.x, item) end
end

-- ------------------------------------------------------------------------------------------------ links

local sessions, messages, pings, links

local function forget()
  sessions, messages, pings, links = {}, {}, {}, {}
end

function msmq.init()
  forget()
end

local function way(pinfo)
  return tostring(pinfo.src) .. ":" .. tostring(pinfo.src_port)
end

local function conversation(pinfo)
  local stream = tcp_stream()
  if stream then return "tcp" .. tostring(stream.value) end
  local one, other = way(pinfo), tostring(pinfo.dst) .. ":" .. tostring(pinfo.dst_port)
  return one < other and one .. "-" .. other or other .. "-" .. one
end

-- Notes on the first pass that this frame asks or answers; `kept` has the request.
local function pair(pinfo, at, kept)
  local from = way(pinfo)
  if not kept.from or kept.from == from then
    kept.from, kept.number, kept.at, kept.time = from, pinfo.number, at, pinfo.rel_ts
    return
  end
  links[pinfo.number .. ":" .. at] = { response_to = kept.number, response_time = pinfo.rel_ts - kept.time }
  links[kept.number .. ":" .. kept.at] = { response_in = pinfo.number }
end

local function remember(pinfo, at, packet, data, frame)
  if pinfo.visited or (not frame) then return end
  if packet == "EstablishConnection" or packet == "ConnectionParameters" then
    local key = conversation(pinfo)
    sessions[key] = sessions[key] or {}
    sessions[key][packet] = sessions[key][packet] or {}
    pair(pinfo, at, sessions[key][packet])
  elseif packet == "PingPacket" and value_of(frame, "Cookie") then
    local key = conversation(pinfo) .. "/" .. format("%.0f", value_of(frame, "Cookie"))
    pings[key] = pings[key] or {}
    pair(pinfo, at, pings[key])
  elseif frame.inner.MessagePropertiesHeader then
    local user, properties = frame.inner.UserHeader, frame.inner.MessagePropertiesHeader
    local class, correlation = value_of(properties, "MessageClass"), place_of(properties, "CorrelationID")
    local source, number = offset_of(user, "SourceQueueManager"), value_of(user, "MessageID")
    if source and number then messages[sub(data, source + 1, source + 16) .. format("%.0f", number)] = pinfo.number end
    if class and class ~= 0 and correlation then
      local meant = sub(data, correlation.at + 1, correlation.at + 16)
      local about = messages[meant .. format("%.0f", uint(data, correlation.at + 16, 4))]
      if about and about ~= pinfo.number then links[pinfo.number .. ":" .. at] = { acknowledges = about } end
    end
  end
end

local function show_links(pinfo, at, tree)
  local found = links[pinfo.number .. ":" .. at]
  if not found then return end
  for _, name in ipairs({ "response_in", "response_to", "acknowledges" }) do
    if found[name] then tree:add(FIELDS["msmq." .. name], found[name]):set_generated() end
  end
  if found.response_time then
    local seconds = math.max(found.response_time, 0)
    local whole = floor(seconds)
    tree:add(FIELDS["msmq.response_time"], NSTime.new(whole, floor((seconds - whole) * 1e9 + 0.5))):set_generated()
  end
end

-- -------------------------------------------------------------------------------------------- info column

local SUMMARIES = {}

function SUMMARIES.UserMessage(data, frame)
  local user, properties = frame.inner.UserHeader, frame.inner.MessagePropertiesHeader
  local words = "Message"
  local class = properties and value_of(properties, "MessageClass")
  if class and class ~= 0 then words = MESSAGE_CLASSES[class] or format("Message of class 0x%x", class) end
  if frame.carried then words = frame.carried.s.name end
  if user then
    local lists = frame.inner.MultiQueueFormatHeader
    local first = lists and lists.inner.Destination and lists.inner.Destination.first
    local queue = destination(data, user) or first and format_name(data, first)
    if queue then words = words .. " to " .. shortened(queue) end
  end
  if properties then
    local label, body = properties.inner.Label, properties.inner.MessageBody
    if label and label.z > 2 then words = words .. format(', "%s"', shortened(text(data, label.at, math.min(label.z, 512)))) end
    if body and not frame.carried then words = words .. ", " .. plural(body.z, "byte") end
  end
  return words
end

local function acknowledgment(words)
  return function(_, frame, node)
    local body = frame.inner.MessagePropertiesHeader.inner.MessageBody
    local inner = body and body.frame
    if not inner then return words end
    return format("%s of transactional message %.0f", words, value_of(inner, "TxSequenceNumber"))
  end
end
SUMMARIES.OrderAck = acknowledgment("Order acknowledgment")
SUMMARIES.FinalAck = acknowledgment("Final acknowledgment")

function SUMMARIES.SessionAck(_, frame)
  local header = frame.inner.SessionHeader
  return format("Session acknowledgment of %s, window %.0f", plural(value_of(header, "AckSequenceNumber"), "message"), value_of(header, "WindowSize"))
end

function SUMMARIES.EstablishConnection(data, frame, _, is_response)
  local header = frame.inner.EstablishConnectionHeader
  local refused = get(frame, REFUSED) == 1 and ", refused" or ""
  local words = is_response and "Establish connection response" or "Establish connection request"
  return format("%s, client %s%s", words, guid_at(data, header, "ClientGuid"), refused)
end

function SUMMARIES.ConnectionParameters(_, frame, _, is_response)
  local header = frame.inner.ConnectionParametersHeader
  local refused = get(frame, REFUSED) == 1 and ", refused" or ""
  local words = is_response and "Connection parameters response" or "Connection parameters request"
  return format("%s, window %.0f%s", words, value_of(header, "WindowSize"), refused)
end

function SUMMARIES.PingPacket(data, frame, _, is_response)
  local words = is_response and "Ping response" or "Ping request"
  local refused = get(frame, PING_REFUSED) == 1 and ", refused" or ""
  return format("%s, cookie 0x%08x%s", words, value_of(frame, "Cookie"), refused)
end

-- --------------------------------------------------------------------------------------------- packets

-- Which acknowledgment a message without flags is, or nil ([MS-MQQB] 3.1.5.1.1).
local function acknowledgment_kind(data, frame)
  local properties, user = frame.inner.MessagePropertiesHeader, frame.inner.UserHeader
  for name in pairs(frame.inner) do
    if name ~= "BaseHeader" and name ~= "UserHeader" and name ~= "MessagePropertiesHeader" then return nil end
  end
  if not properties or get(frame, BASE_FLAGS) ~= 0 then return nil end
  local label, class = properties.inner.Label, value_of(properties, "MessageClass")
  if not label or label.z ~= 2 * #ORDER_LABEL + 2 or text(data, label.at, label.z) ~= ORDER_LABEL then return nil end
  local kind
  if class == 0xFF then
    if value_of(properties, "MessageSize") ~= STRUCTURES.OrderAckBody.least then return nil end
    kind = "OrderAck"
  elseif class >= 0x4000 then
    kind = "FinalAck"
  end
  local queue = user.inner.DestinationQueue
  if not kind or not queue then return nil end
  if queue.s.name == "PrivateQueueFormatNameId" then return value_of(queue, "PrivateQueueIdentifier") == 4 and kind or nil end
  local name = queue.inner.DirectFormatName
  local suffix = "\\private$\\order_queue$"
  local found = name and text(data, name.at, name.z):lower() or ""
  -- The terminator has to be there, and nothing behind it.
  if found:sub(-#suffix) ~= suffix or name.z ~= 2 * #found + 2 then return nil end
  return kind
end

local function kind_at(data, at, stop)
  if stop - at < 8 or byte(data, at + 3) % 16 < 8 then return "UserMessage" end
  if stop - at < BASE + STRUCTURES.InternalHeader.least then return nil end
  return INTERNAL[byte(data, at + BASE + 3) % 16]
end

local function read_packet(reader, at, stop)
  local kind = kind_at(reader.data, at, stop)
  if not kind then
    local node, frame, after = read(reader, STRUCTURES.BaseHeader, at, math.min(stop, at + BASE))
    return node, frame, after, { refused = "no packet type that is known", at = after }, "BaseHeader"
  end
  local node, frame, after, problem = read(reader, STRUCTURES[kind], at, stop)
  if kind == "UserMessage" and not problem then
    local acknowledges = acknowledgment_kind(reader.data, frame)
    if acknowledges then
      kind = acknowledges
      node.p, frame.s = "msmq." .. kind:lower(), STRUCTURES[kind]
      local body = frame.inner.MessagePropertiesHeader.inner.MessageBody
      if body then reader:inside(body, { s = kind .. "Body", begins = "" }, body.at, body.z) end
    end
    judge(frame, node)
  end
  return node, frame, after, problem, kind
end

local function show_packet(reader, node, frame, problem, kind, tvb, pinfo, tree, at, stop)
  local data = reader.data
  remember(pinfo, at, kind, data, not problem and frame or nil)
  local found = links[pinfo.number .. ":" .. at]
  local words = not problem and SUMMARIES[kind] and SUMMARIES[kind](data, frame, node, found and found.response_to)
    or (problem and kind .. ", malformed" or kind)
  local item = tree:add(msmq, tvb(at, stop - at), "Message Queuing, " .. words)
  item:add(FIELDS["msmq.packet"], kind):set_generated()
  show_links(pinfo, at, item)
  node.z = node.z or 0
  local all = tree.visible
  -- Whoever asks for a field refers to the protocol as well.
  if all or noted or is_referenced(tree, handle) then show(node, tvb, item, data, all) end
  noted = false
  if problem then item:add_proto_expert_info(EXPERTS.malformed, problem.refused) end
  if reader.hidden > 0 then
    item:add_proto_expert_info(EXPERTS.hidden, plural(reader.hidden, "field") .. " not shown")
    reader.hidden = 0
  end
  return words
end

local function is_marked(data, at)
  return byte(data, at + 1) == VERSION and sub(data, at + 5, at + 8) == MARK
end

-- Whether bytes could be the beginning of a packet, as far as they are there.
local function begins(data, at)
  local first, mark = byte(data, at + 1), sub(data, at + 5, at + 8)
  return (first == nil or first == VERSION) and MARK:sub(1, #mark) == mark
end

local function next_packet(data, at)
  local found = at + 4
  while true do
    found = find(data, MARK, found + 1, true)
    if not found then return nil end
    if found - 5 >= at and byte(data, found - 4) == VERSION then return found - 5 end
  end
end

-- How many bytes the packet at an offset takes; nil and the bytes that are missing to know, or false for none.
local function extent_at(reader, at, size, waits)
  local data, left = reader.data, size - at
  if left < BASE then return nil, BASE - left end
  local claimed = uint(data, at + 8, 4)
  if claimed < BASE or claimed > MAX_PACKET_SIZE then return false end
  if left < claimed then return nil, claimed - left end
  local flags = byte(data, at + 3)
  local rides = floor(flags / 16) % 2 == 1 and flags % 16 < 8
  if not rides then return claimed end
  if left == claimed then
    -- Some senders count the SessionHeader in PacketSize: then the packet is whole.
    local trial = new_reader(data, 0)
    local _, _, _, problem = read(trial, STRUCTURES.UserMessage, at, at + claimed)
    if not problem and not trial.outside_only then return claimed end
    return nil, RIDER
  end
  if begins(data, at + claimed) then
    if left - claimed >= 8 then return claimed end
    return nil, waits and 8 - (left - claimed) or 0
  end
  if left < claimed + RIDER then return nil, claimed + RIDER - left end
  return claimed + RIDER
end

local function finish(pinfo, words)
  pinfo.cols.protocol = "MSMQ"
  if #words > 0 then
    local more = #words > 4 and format(" and %.0f more", #words - 4) or ""
    pinfo.cols.info = table.concat(words, " | ", 1, math.min(#words, 4)) .. more
  end
end

local function dissect_stream(tvb, pinfo, tree)
  local size, data = tvb:len(), tvb:raw()
  local reader, words, at = new_reader(data, BUDGET), {}, 0
  local waits = pinfo.can_desegment > 0 and msmq.prefs.reassemble
  reader.lax = true
  while at < size do
    if not begins(data, at) then
      local after = next_packet(data, at + 1)
      -- The last bytes may be the beginning of a mark.
      local stop = after or size
      tree:add(msmq, tvb(at, stop - at), "Message Queuing, no packet"):add(FIELDS["msmq.unrecognized"], tvb(at, stop - at))
      words[#words + 1] = plural(stop - at, "byte") .. " that are no packet"
      at = stop
    else
      local extent, missing = extent_at(reader, at, size, waits)
      if extent == nil and waits and missing > 0 then
        pinfo.desegment_offset, pinfo.desegment_len = at, missing
        if #words > 0 then finish(pinfo, words) end
        return size
      end
      local stop = at + (extent or size - at)
      if extent == false then stop = next_packet(data, at + 1) or size end
      local node, frame, _, problem, kind = read_packet(reader, at, stop)
      words[#words + 1] = show_packet(reader, node, frame, problem, kind, tvb, pinfo, tree, at, stop)
      at = stop
    end
  end
  finish(pinfo, words)
  return size
end

local function dissect_ping(tvb, pinfo, tree)
  local data, size = tvb:raw(), tvb:len()
  local reader = new_reader(data, BUDGET)
  local node, frame, after, problem = read(reader, STRUCTURES.PingPacket, 0, size)
  if not problem and after ~= size then problem = { refused = left_over(size - after), at = after } end
  finish(pinfo, { show_packet(reader, node, frame, problem, "PingPacket", tvb, pinfo, tree, 0, size) })
  return size
end

-- Runs a part of the dissector; a fault of it is shown and goes no further.
local function guarded(dissect, tvb, pinfo, tree)
  if tvb:len() == 0 then return 0 end
  if not links then forget() end
  local ok, result = pcall(dissect, tvb, pinfo, tree)
  if ok then return result end
  tree:add(msmq, tvb()):add_proto_expert_info(EXPERTS.fault, type(result) == "table" and result.refused or tostring(result))
  return tvb:len()
end

function msmq.dissector(tvb, pinfo, tree)
  local is_udp = pinfo.port_type == 3
  return guarded(is_udp and not (tvb:len() >= 8 and is_marked(tvb:raw(0, 8), 0)) and dissect_ping or dissect_stream, tvb, pinfo, tree)
end

handle = Dissector.get("msmq")

local function claims_stream(tvb, pinfo, tree)
  if tvb:len() < 8 or not is_marked(tvb:raw(0, 8), 0) then return false end
  msmq.dissector(tvb, pinfo, tree)
  pinfo.conversation = msmq
  return true
end

local function claims_ping(tvb, pinfo, tree)
  local ping = STRUCTURES.PingPacket.least
  if tvb:len() ~= ping or tvb:raw(2, 2) ~= "HU" or tvb:raw(0, 1):byte() > 3 or tvb:raw(1, 1) ~= "\0" then return false end
  msmq.dissector(tvb, pinfo, tree)
  return true
end

msmq:register_heuristic("tcp", claims_stream)
msmq:register_heuristic("udp", claims_ping)
DissectorTable.get("tcp.port"):add(PORT, msmq)
DissectorTable.get("udp.port"):add(PING_PORT, msmq)

-- ------------------------------------------------------------------------------------------- one structure
-- The table `msmq.structure` reads bytes that are one structure, by its number: from exported PDUs, say.

local function dissect_structure(tvb, pinfo, tree)
  local structure = STRUCTURES[pinfo.match_uint]
  local data, size = tvb:raw(), tvb:len()
  local reader = new_reader(data, BUDGET)
  local node, frame, after, problem = read(reader, structure, 0, size)
  if not problem and after ~= size then problem = { refused = left_over(size - after), at = after } end
  if not problem and structure.name == "UserMessage" then judge(frame, node) end
  finish(pinfo, { show_packet(reader, node, frame, problem, structure.name, tvb, pinfo, tree, 0, size) })
  return size
end

function single.dissector(tvb, pinfo, tree)
  return guarded(dissect_structure, tvb, pinfo, tree)
end

local by_structure = DissectorTable.new("msmq.structure", "MSMQ structure", ftypes.UINT32, base.DEC, single)
for number = 1, #STRUCTURES do by_structure:add(number, single) end
