"""What changes a crawl while it runs (commands, labels, blocks, refresh), and its snapshots."""
