"""Training, matches and the command line."""
