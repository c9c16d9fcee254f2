"""Read suites of minimal pairs and of rated sentences."""
