"""The table `deliveries`: what became of each message, from `evidence` of all connections and sensors.

1. A row is a message.  Its identifier contains the queue manager that sent it, so addresses do not matter.
   An identifier that was used for different messages has a row for each; copies of one packet do not differ
   in what is known of both.
2. A hop is from one queue manager to another, or from one address to another if a queue manager is unknown.
   It may be captured by several sensors, and the message may be sent again.  A message to several queues has
   a hop for each of them.
3. The first of `STATES` that applies counts.  A message to several queues has the
   worst state of any of its queues: the last in `WEAKEST`.
4. What answers a message comes after it.  The clock of a sensor is one; those of two may differ by
   `Settings.clock_tolerance`.
5. Rows come in any order and give the same result.

| module | what it has |
|---|---|
| `reasons` | the states, and the reasons for them |
| `columns` | the columns of the table |
| `messages` | evidence by message: which rows are about which |
| `hops` | the way of each message, from one queue manager to the next |
| `order_acknowledgments` | which OrderAck is for which message |
| `acknowledgments` | what acknowledgments, responses and remote reads say of messages |
| `fates` | the state of each message, why, and the proof |
| `rows` | the rows of the table |
| `grouping` | numbers for equal rows, which the others count and compare |
"""
