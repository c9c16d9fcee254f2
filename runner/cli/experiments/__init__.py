"""Commands that plan, run and watch the experiment of a manifest."""
