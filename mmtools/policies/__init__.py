"""Ready permissions, composable; one file each."""
