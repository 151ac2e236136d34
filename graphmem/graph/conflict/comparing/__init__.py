"""A statement beside what is known: what differs, what excludes what, and since when."""
