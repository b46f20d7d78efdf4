"""Records that break one requirement and no other."""
