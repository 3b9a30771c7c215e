"""From what a user says of the topic to the judge of a crawl, and to the pages that training needs."""
