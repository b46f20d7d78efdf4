"""What a run came to: what tasks said, the numbers of it all, and a page about them."""
