"""Commands on a manifest: plan, run, watch, status."""
