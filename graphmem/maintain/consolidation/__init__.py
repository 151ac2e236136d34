"""Facts that nearly say the same become one: the pool, what is near in it, who goes for whom."""
