"""What judges that learn from pages have in common."""
