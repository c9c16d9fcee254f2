"""Write the corpora of an experiment as files: plain text, JSON lines, Parquet, or a Hugging Face dataset."""
