"""What nobody uses goes: by value, by tiers, and foreseen."""
