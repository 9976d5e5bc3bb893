"""The parts of a guarded fetch: names looked up once, connections to checked addresses, bodies within limits."""
