"""What the pipeline knows of a language, and the languages that are shipped."""
