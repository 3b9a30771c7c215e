"""The pages of the web app: routes that answer with HTML."""
