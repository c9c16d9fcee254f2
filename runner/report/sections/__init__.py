"""Optional sections of the report, included if the results have content for them."""
