"""What drives a robot in a simulation: torques, feedbacks, prescribed accelerations, samples, failures."""
