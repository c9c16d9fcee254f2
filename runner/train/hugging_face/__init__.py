"""Train with the Trainer of transformers: the same rows, weights, optimizer and schedule as `runner.train.loop`."""
