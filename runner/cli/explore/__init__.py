"""`fictc explore`: search stores on a page in the browser."""
