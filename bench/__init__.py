"""Benchmarks. They report ratios against a baseline of the same run; nothing here is a test."""
