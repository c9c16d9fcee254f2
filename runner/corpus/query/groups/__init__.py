"""Count matches by keys such as `genre,upos(X)`, with aggregates of numeric keys."""
