"""Where tables go, and their columns as Spark says them."""
