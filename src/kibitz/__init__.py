"""Kibitz: a laboratory for computer poker."""

__version__ = "0.1.0"
