"""Formats: text and files in, hand records out, and back."""
