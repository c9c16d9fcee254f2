"""`fictc explore`: the page to look at stores with."""
