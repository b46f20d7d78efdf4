"""The records of the documents, named as on the page, and what their fields mean.

- `mqmq`, `mqrr`, `mqqb`, `mqdsrp`, `mqcn`: the record classes of one document each, with their codec.
- `builders`: the functions that build the records of each document.
- `readings`: properties that interpret fields.
- `queue_names`: names of queues between wire and value.
- `transactions`: identifiers of transactional sequences as numbers.
- `propid`: property identifiers with their types and permitted values.
- `directory_properties`: what a directory change says.
- `notification_text`, `notification_contents`: the text of a notification, and which properties one has.
"""
