"""Extract: from a turn's text to a summary, triples, tags, an intent and mentions."""
