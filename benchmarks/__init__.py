"""Measurements of mages-env: throughput, strength, learning speed, and peers side by side."""
