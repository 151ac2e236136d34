"""The tiers of memory, each with its own verbs: semantic memory holds facts."""
