"""Recall: a question in, the exact source turns and the facts that still hold out."""
