"""The lexicon, its inflection and the trees of words."""
