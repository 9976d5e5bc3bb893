"""One file per wire contract, one folder per dialect; what they do is in `operations`, what is said of it in `wording`."""
