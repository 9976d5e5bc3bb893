"""How `LocalFiles` reads and replaces files: paths followed, directories held, locks, temporary files."""
