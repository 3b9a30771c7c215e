"""The little web: a small world of sites, built from a seed, to crawl without a network."""
