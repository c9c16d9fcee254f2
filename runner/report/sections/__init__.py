"""Parts of the report that only some results have, each made where what it shows is there."""
