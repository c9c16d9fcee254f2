"""Read test suites: minimal pairs, rated sentences, WinoBias and SyntaxGym formulas."""
