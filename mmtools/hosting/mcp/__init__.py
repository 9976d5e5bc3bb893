"""The parts of `mmtools.hosting.mcp_server`: one client's session, one request, a question to a person, live output."""
