"""Whether two sources, or two names, say the same."""
