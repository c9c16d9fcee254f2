"""What fictc is measured against, a module each."""
