"""The layout compiler: one emitter each for decoders, encoders, sizes and builders."""
