# The packets of `samples` for Kaitai Struct.  `kaitai_msmq.py` beside this file is generated from it:
#   npx --package=kaitai-struct-compiler@0.11.0 --package=js-yaml node compile_ksy.js
meta:
  id: kaitai_msmq
  endian: le
  encoding: UTF-16LE
types:
  base_header:
    seq:
      - {id: version_number, type: u1}
      - {id: reserved, type: u1}
      - {id: flags, type: u2}
      - {id: signature, type: u4}
      - {id: packet_size, type: u4}
      - {id: time_to_reach_queue, type: u4}
  direct_queue_format_name:
    seq:
      - {id: count, type: u2}
      - {id: direct_format_name, type: str, size: count}
      - {id: padding, size: '(-(2 + count)) & 3'}
  user_header:
    seq:
      - {id: source_queue_manager, size: 16}
      - {id: queue_manager_address, size: 16}
      - {id: time_to_be_received, type: u4}
      - {id: sent_time, type: u4}
      - {id: message_id, type: u4}
      - {id: flags, type: u4}
      - {id: destination_queue, type: direct_queue_format_name}
  security_data:
    seq:
      - {id: security_id, size: _parent.sender_id_size}
      - {id: security_id_padding, size: '(-_parent.sender_id_size) & 3'}
      - {id: encryption_key, size: _parent.encryption_key_size}
      - {id: encryption_key_padding, size: '(-_parent.encryption_key_size) & 3'}
      - {id: signature, size: _parent.signature_size}
      - {id: signature_padding, size: '(-_parent.signature_size) & 3'}
      - {id: sender_cert, size: _parent.sender_cert_size}
      - {id: sender_cert_padding, size: '(-_parent.sender_cert_size) & 3'}
      - {id: provider_info, size: _parent.provider_info_size}
      - {id: provider_info_padding, size: '(-_parent.provider_info_size) & 3'}
  security_header:
    seq:
      - {id: flags, type: u2}
      - {id: sender_id_size, type: u2}
      - {id: encryption_key_size, type: u2}
      - {id: signature_size, type: u2}
      - {id: sender_cert_size, type: u4}
      - {id: provider_info_size, type: u4}
      - {id: security_data, type: security_data}
  message_properties_header:
    seq:
      - {id: flags, type: u1}
      - {id: label_length, type: u1}
      - {id: message_class, type: u2}
      - {id: correlation_id, size: 20}
      - {id: body_type, type: u4}
      - {id: application_tag, type: u4}
      - {id: message_size, type: u4}
      - {id: allocation_body_size, type: u4}
      - {id: privacy_level, type: u4}
      - {id: hash_algorithm, type: u4}
      - {id: encryption_algorithm, type: u4}
      - {id: extension_size, type: u4}
      - {id: label, type: str, size: label_length * 2}
      - {id: extension_data, size: extension_size}
      - {id: message_body, size: message_size}
      - {id: padding, size: '(-(label_length * 2 + extension_size + message_size)) & 3'}
  user_message:
    seq:
      - {id: base_header, type: base_header}
      - {id: user_header, type: user_header}
      - {id: security_header, type: security_header}
      - {id: message_properties_header, type: message_properties_header}
  internal_header:
    seq:
      - {id: reserved, type: u2}
      - {id: flags, type: u2}
  establish_connection_header:
    seq:
      - {id: client_guid, size: 16}
      - {id: server_guid, size: 16}
      - {id: time_stamp, type: u4}
      - {id: operating_system, type: u2}
      - {id: reserved, type: u2}
      - {id: padding, size: 512}
  establish_connection:
    seq:
      - {id: base_header, type: base_header}
      - {id: internal_header, type: internal_header}
      - {id: establish_connection_header, type: establish_connection_header}
  base_replication_header:
    seq:
      - {id: version, type: u1}
      - {id: site_id, size: 16}
      - {id: operation, type: u1}
  directory_change:
    seq:
      - {id: command, type: u1}
      - {id: use_guid, type: u1}
      - {id: path_name, type: strz}
      - {id: partition_id, size: 16}
      - {id: previous_seq_number, size: 8}
      - {id: seq_number, size: 8}
      - {id: purged_seq_number, size: 8}
      - {id: number_of_properties, type: u1}
      - {id: property_id, type: u4, repeat: expr, repeat-expr: number_of_properties}
      - {id: value0, size: 16}
      - {id: value1, size: 16}
      - {id: value2, type: strz}
      - {id: value3, type: u1}
      - {id: value4, type: u4}
      - {id: value5, type: s2}
      - {id: value6, type: strz}
      - {id: value7_size, type: u4}
      - {id: value7, size: value7_size}
  partition_seq_numbers:
    seq:
      - {id: partition_id, size: 16}
      - {id: last_seq_number, size: 8}
      - {id: purged_seq_number, size: 8}
  seq_number_header:
    seq:
      - {id: count, type: u2}
      - {id: machine_name, type: strz}
      - {id: partition_seq_numbers, type: partition_seq_numbers, repeat: expr, repeat-expr: count}
  change_propagation_message:
    seq:
      - {id: base_replication_header, type: base_replication_header}
      - {id: flush, type: u1}
      - {id: count, type: u2}
      - {id: directory_changes, type: directory_change, repeat: expr, repeat-expr: count}
      - {id: seq_number_header, type: seq_number_header}
