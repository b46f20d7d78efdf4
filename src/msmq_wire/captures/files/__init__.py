"""Files and what is in them: containers, packed files, parts of large ones, rows of segments."""
