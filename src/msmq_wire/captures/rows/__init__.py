"""What workers make of packets: batches of Arrow in, rows of the tables out."""
