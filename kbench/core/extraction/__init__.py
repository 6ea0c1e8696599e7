"""From what a model wrote to source files."""
