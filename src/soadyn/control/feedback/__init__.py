"""Feedbacks of joints, frames and the mass centre, and what they share."""
