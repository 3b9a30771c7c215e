"""What the pages show, as JSON and for Prometheus."""
