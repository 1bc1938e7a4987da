"""One folder a game: state, rules, encoders, text, and RULES.md with every rule id."""
