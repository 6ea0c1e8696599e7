"""What scores are made of: counts, times, and what the completions cost."""
