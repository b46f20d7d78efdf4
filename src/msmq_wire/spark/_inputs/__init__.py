"""What there is to read: the options that a user gives, the files that they name, and what has come since."""
