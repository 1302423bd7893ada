"""The record of a motion: states in time, their parts, files, tables and pictures."""
