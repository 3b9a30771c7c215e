"""Reading a crawl folder beside its writer: reports, exports, explanations."""
