"""Many packets of one layout at once: a plan of steps over arrays."""
