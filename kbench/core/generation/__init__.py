"""Asking models: what is wanted becomes requests, answers, and completions that are kept."""
