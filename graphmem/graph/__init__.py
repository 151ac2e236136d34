"""Graph: Terms, Facts, Tags, links and vectors of turns, in one write transaction."""
