"""Branch coverage: the parts of a filter that its examples exercise."""
