"""The other side of the house: a Runner offered inside a framework or over a protocol, one file each. Imports no adapter."""
