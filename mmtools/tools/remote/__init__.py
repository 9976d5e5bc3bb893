"""Tools that other programs carry out: one class for all of them, for their contracts are the servers'."""
