"""The settings by what they are about, in the order of the way of the data."""
