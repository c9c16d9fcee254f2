"""Laws that hold of every filter and every treebank, tried on generated ones."""
