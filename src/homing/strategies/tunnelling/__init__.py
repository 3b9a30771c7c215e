"""``tunnelling`` widens the topic while little is found; ``wider`` computes the wider topics."""
