"""What the judge ``keywords`` knows of ordinary text, and how it finds words quickly."""
