"""Train with the Transformers `Trainer`, with the rows, weights, optimizer and schedule of `runner.train.loop`."""
