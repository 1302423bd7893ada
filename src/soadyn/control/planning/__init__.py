"""Motions of robots with passive joints: demands on their active joints, plans and how these are carried out."""
