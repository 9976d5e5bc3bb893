"""What tools do, each job once for every dialect: read, decide, ask, act, say. A dialect's tool translates and calls one."""
