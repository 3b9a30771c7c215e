"""Text as numbers: words and stems, languages, hashed features, term vectors, meanings of names."""
