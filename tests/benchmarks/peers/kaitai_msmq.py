# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class KaitaiMsmq(KaitaiStruct):
    def __init__(self, _io, _parent=None, _root=None):
        super(KaitaiMsmq, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        pass


    def _fetch_instances(self):
        pass

    class BaseHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.BaseHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.version_number = self._io.read_u1()
            self.reserved = self._io.read_u1()
            self.flags = self._io.read_u2le()
            self.signature = self._io.read_u4le()
            self.packet_size = self._io.read_u4le()
            self.time_to_reach_queue = self._io.read_u4le()


        def _fetch_instances(self):
            pass


    class BaseReplicationHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.BaseReplicationHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.version = self._io.read_u1()
            self.site_id = self._io.read_bytes(16)
            self.operation = self._io.read_u1()


        def _fetch_instances(self):
            pass


    class ChangePropagationMessage(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.ChangePropagationMessage, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.base_replication_header = KaitaiMsmq.BaseReplicationHeader(self._io, self, self._root)
            self.flush = self._io.read_u1()
            self.count = self._io.read_u2le()
            self.directory_changes = []
            for i in range(self.count):
                self.directory_changes.append(KaitaiMsmq.DirectoryChange(self._io, self, self._root))

            self.seq_number_header = KaitaiMsmq.SeqNumberHeader(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.base_replication_header._fetch_instances()
            for i in range(len(self.directory_changes)):
                pass
                self.directory_changes[i]._fetch_instances()

            self.seq_number_header._fetch_instances()


    class DirectQueueFormatName(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.DirectQueueFormatName, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.count = self._io.read_u2le()
            self.direct_format_name = (self._io.read_bytes(self.count)).decode(u"UTF-16LE")
            self.padding = self._io.read_bytes(-(2 + self.count) & 3)


        def _fetch_instances(self):
            pass


    class DirectoryChange(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.DirectoryChange, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.command = self._io.read_u1()
            self.use_guid = self._io.read_u1()
            self.path_name = (self._io.read_bytes_term_multi(b"\x00\x00", False, True, True)).decode(u"UTF-16LE")
            self.partition_id = self._io.read_bytes(16)
            self.previous_seq_number = self._io.read_bytes(8)
            self.seq_number = self._io.read_bytes(8)
            self.purged_seq_number = self._io.read_bytes(8)
            self.number_of_properties = self._io.read_u1()
            self.property_id = []
            for i in range(self.number_of_properties):
                self.property_id.append(self._io.read_u4le())

            self.value0 = self._io.read_bytes(16)
            self.value1 = self._io.read_bytes(16)
            self.value2 = (self._io.read_bytes_term_multi(b"\x00\x00", False, True, True)).decode(u"UTF-16LE")
            self.value3 = self._io.read_u1()
            self.value4 = self._io.read_u4le()
            self.value5 = self._io.read_s2le()
            self.value6 = (self._io.read_bytes_term_multi(b"\x00\x00", False, True, True)).decode(u"UTF-16LE")
            self.value7_size = self._io.read_u4le()
            self.value7 = self._io.read_bytes(self.value7_size)


        def _fetch_instances(self):
            pass
            for i in range(len(self.property_id)):
                pass



    class EstablishConnection(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.EstablishConnection, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.base_header = KaitaiMsmq.BaseHeader(self._io, self, self._root)
            self.internal_header = KaitaiMsmq.InternalHeader(self._io, self, self._root)
            self.establish_connection_header = KaitaiMsmq.EstablishConnectionHeader(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.base_header._fetch_instances()
            self.internal_header._fetch_instances()
            self.establish_connection_header._fetch_instances()


    class EstablishConnectionHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.EstablishConnectionHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.client_guid = self._io.read_bytes(16)
            self.server_guid = self._io.read_bytes(16)
            self.time_stamp = self._io.read_u4le()
            self.operating_system = self._io.read_u2le()
            self.reserved = self._io.read_u2le()
            self.padding = self._io.read_bytes(512)


        def _fetch_instances(self):
            pass


    class InternalHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.InternalHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.reserved = self._io.read_u2le()
            self.flags = self._io.read_u2le()


        def _fetch_instances(self):
            pass


    class MessagePropertiesHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.MessagePropertiesHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.flags = self._io.read_u1()
            self.label_length = self._io.read_u1()
            self.message_class = self._io.read_u2le()
            self.correlation_id = self._io.read_bytes(20)
            self.body_type = self._io.read_u4le()
            self.application_tag = self._io.read_u4le()
            self.message_size = self._io.read_u4le()
            self.allocation_body_size = self._io.read_u4le()
            self.privacy_level = self._io.read_u4le()
            self.hash_algorithm = self._io.read_u4le()
            self.encryption_algorithm = self._io.read_u4le()
            self.extension_size = self._io.read_u4le()
            self.label = (self._io.read_bytes(self.label_length * 2)).decode(u"UTF-16LE")
            self.extension_data = self._io.read_bytes(self.extension_size)
            self.message_body = self._io.read_bytes(self.message_size)
            self.padding = self._io.read_bytes(-((self.label_length * 2 + self.extension_size) + self.message_size) & 3)


        def _fetch_instances(self):
            pass


    class PartitionSeqNumbers(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.PartitionSeqNumbers, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.partition_id = self._io.read_bytes(16)
            self.last_seq_number = self._io.read_bytes(8)
            self.purged_seq_number = self._io.read_bytes(8)


        def _fetch_instances(self):
            pass


    class SecurityData(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.SecurityData, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.security_id = self._io.read_bytes(self._parent.sender_id_size)
            self.security_id_padding = self._io.read_bytes(-(self._parent.sender_id_size) & 3)
            self.encryption_key = self._io.read_bytes(self._parent.encryption_key_size)
            self.encryption_key_padding = self._io.read_bytes(-(self._parent.encryption_key_size) & 3)
            self.signature = self._io.read_bytes(self._parent.signature_size)
            self.signature_padding = self._io.read_bytes(-(self._parent.signature_size) & 3)
            self.sender_cert = self._io.read_bytes(self._parent.sender_cert_size)
            self.sender_cert_padding = self._io.read_bytes(-(self._parent.sender_cert_size) & 3)
            self.provider_info = self._io.read_bytes(self._parent.provider_info_size)
            self.provider_info_padding = self._io.read_bytes(-(self._parent.provider_info_size) & 3)


        def _fetch_instances(self):
            pass


    class SecurityHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.SecurityHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.flags = self._io.read_u2le()
            self.sender_id_size = self._io.read_u2le()
            self.encryption_key_size = self._io.read_u2le()
            self.signature_size = self._io.read_u2le()
            self.sender_cert_size = self._io.read_u4le()
            self.provider_info_size = self._io.read_u4le()
            self.security_data = KaitaiMsmq.SecurityData(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.security_data._fetch_instances()


    class SeqNumberHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.SeqNumberHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.count = self._io.read_u2le()
            self.machine_name = (self._io.read_bytes_term_multi(b"\x00\x00", False, True, True)).decode(u"UTF-16LE")
            self.partition_seq_numbers = []
            for i in range(self.count):
                self.partition_seq_numbers.append(KaitaiMsmq.PartitionSeqNumbers(self._io, self, self._root))



        def _fetch_instances(self):
            pass
            for i in range(len(self.partition_seq_numbers)):
                pass
                self.partition_seq_numbers[i]._fetch_instances()



    class UserHeader(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.UserHeader, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.source_queue_manager = self._io.read_bytes(16)
            self.queue_manager_address = self._io.read_bytes(16)
            self.time_to_be_received = self._io.read_u4le()
            self.sent_time = self._io.read_u4le()
            self.message_id = self._io.read_u4le()
            self.flags = self._io.read_u4le()
            self.destination_queue = KaitaiMsmq.DirectQueueFormatName(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.destination_queue._fetch_instances()


    class UserMessage(KaitaiStruct):
        def __init__(self, _io, _parent=None, _root=None):
            super(KaitaiMsmq.UserMessage, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.base_header = KaitaiMsmq.BaseHeader(self._io, self, self._root)
            self.user_header = KaitaiMsmq.UserHeader(self._io, self, self._root)
            self.security_header = KaitaiMsmq.SecurityHeader(self._io, self, self._root)
            self.message_properties_header = KaitaiMsmq.MessagePropertiesHeader(self._io, self, self._root)


        def _fetch_instances(self):
            pass
            self.base_header._fetch_instances()
            self.user_header._fetch_instances()
            self.security_header._fetch_instances()
            self.message_properties_header._fetch_instances()



