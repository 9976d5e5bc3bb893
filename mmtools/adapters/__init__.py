"""The ports on real things: disks, shells, terminals, databases. Only composition roots import these."""
