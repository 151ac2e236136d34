"""One module a scenario: its data, how it is loaded, what is asked."""
