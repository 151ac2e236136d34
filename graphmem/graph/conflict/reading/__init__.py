"""A statement taken apart: what it is about, what it says of it, and of what time it speaks."""
