"""What the terminal permission and the displays share: a screen, clean text, questions and excerpts."""
