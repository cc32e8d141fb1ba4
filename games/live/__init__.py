"""Tables on every screen at once: frames for each audience, and the topics that pages listen to."""
