"""What workers do, a module a step: they import what they run."""
