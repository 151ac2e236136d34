"""One module a scenario: its options, how its data is loaded, what is asked (see run.py)."""
