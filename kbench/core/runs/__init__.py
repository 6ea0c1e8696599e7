"""Runs of many attempts: planned, worked on by several processes, kept in a folder."""
