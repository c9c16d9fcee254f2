"""Worker processes that run calls which can be cancelled."""
