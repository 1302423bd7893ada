"""Levels 2, 3: operators and their identities; so far the dense oracle that says what they mean."""
