"""Extracts the TCP segment or datagram from a frame: link layers, tunnels, IP fragments."""
