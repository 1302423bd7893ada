"""Derivatives of programs are programs."""
