"""What only the runner uses: a call made ready, carried out, counted; in threads, in batches, asynchronously."""
