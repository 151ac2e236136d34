"""The conflict pipeline: what becomes of a statement beside what is known already."""
