"""Audits of filters: what they match in a suite, lose to a parser, and leave in a corpus."""
