"""The diagnostic codes of the runner: manifests, corpora, models, runs and reports (FICT6xx to FICT8xx).

Each module here is a family with its `CODES`.
"""
