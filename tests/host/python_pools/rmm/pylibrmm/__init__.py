"""The package of the memory resources."""
