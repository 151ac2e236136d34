"""Measures graphmem through its public interface; `python -m benchmarks.run --help`."""
