"""From a manifest to a report."""

DISTRIBUTION = "fictc"  # tells this package from another one of the same name
