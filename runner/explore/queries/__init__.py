"""What the page asks: each question is a function that runs in a worker process and returns plain values."""
