"""Words and trees into pictures of them: text for a terminal, SVG, HTML."""
