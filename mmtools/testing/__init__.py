"""For tests of hosts, adapters and edit functions: fakes of every port, recorders, strategies, conformance suites."""
