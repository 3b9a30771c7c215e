"""What the judge ``keywords`` is built on.

``background`` knows how common words are and identifies the language of a topic; ``spotting`` finds the words
of a topic in texts without tokenising them.
"""
