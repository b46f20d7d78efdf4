"""A kit for fuzzers: what can be done to a packet or a session, each mutation by its name."""
