"""Records that violate one requirement and no other."""
