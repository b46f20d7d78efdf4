"""Reports for people: a short summary, sentences, and an HTML page."""
