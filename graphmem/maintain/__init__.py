"""Maintain: communities, consolidation, decay and clean-up, each with a receipt."""
