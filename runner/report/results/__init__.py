"""Read results: a run's folder, scored models, tables from elsewhere."""
