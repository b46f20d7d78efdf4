"""What people read: ten lines, sentences, and a page of HTML."""
