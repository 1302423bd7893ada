"""A program planned as loops over the links: what a step computes for each kind of joint, reads and keeps."""
