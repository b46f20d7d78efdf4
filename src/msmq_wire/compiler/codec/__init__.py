"""Emitters of decoders, encoders, size functions, builders, and conversions to and from dictionaries."""
