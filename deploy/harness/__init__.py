"""Real servers for tests, benchmarks and drills: started on loopback, filled, stopped.

Entry points: servers, match_client, services.
"""
