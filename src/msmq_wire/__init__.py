"""MSMQ wire formats."""
