"""Policies learned with torch; importing this package imports torch."""
