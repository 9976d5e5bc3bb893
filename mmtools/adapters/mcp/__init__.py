"""
How `McpClient` talks to servers: a child's pipes or an address, a session of the official SDK over them, and what comes
back read part by part.

The SDK is imported by `supervisor` and what that needs, and by nothing before the first connection is opened.
"""
