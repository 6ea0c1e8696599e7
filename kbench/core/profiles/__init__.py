"""Times of kernels: made, looked at closely, told to people and written as timelines."""
