"""The analysis of finished matches on the site: asked for, computed by a worker, kept, and shown beside the replay.

The arithmetic is in `engine.analysis`; nothing here judges. Enter at `request.ask` and `compute.analyse`.
"""
