"""The default strategy: it learns, while it crawls, which features of a link mean a page on the topic."""
