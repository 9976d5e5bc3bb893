"""One file per wire contract, one folder per dialect; sentences that dialects share are in `wording`."""
