"""Springs, dampers, friction, backlash, stops and bounds of actuators: what acts in the joints by itself."""
