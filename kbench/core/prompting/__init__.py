"""What a model is shown: the task, examples of others, and what was wrong with its last answer."""
