"""What the web app knows of crawls: the folder it serves, those beside it, new ones."""
