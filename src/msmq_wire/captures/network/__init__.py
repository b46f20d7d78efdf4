"""From a frame to the segment or datagram in it: link layers, tunnels, fragments."""
