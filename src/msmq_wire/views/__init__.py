"""Records for people and for other programs: explanations, dictionaries, and what values mean."""
