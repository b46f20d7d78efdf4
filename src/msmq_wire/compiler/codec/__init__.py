"""Emitters of the codec: decoders, encoders, sizes, builders, and functions to and from dictionaries."""
