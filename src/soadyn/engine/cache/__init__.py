"""What is kept on disk: machine code, and answers that depend on a robot's constants."""
