"""Capture: a completed turn is checked and committed raw, before any model is called."""
