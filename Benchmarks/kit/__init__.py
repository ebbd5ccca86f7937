"""What the programs in Benchmarks share. Python's standard library, and the openssl command."""
