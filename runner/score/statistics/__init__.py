"""Statistical tests, intervals, effect sizes and power."""
