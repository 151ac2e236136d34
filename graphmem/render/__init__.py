"""Render: a recall becomes a block of history for a prompt, within a budget of tokens."""
