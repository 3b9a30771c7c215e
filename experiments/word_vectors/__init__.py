"""How the table of word vectors that Homing ships was built, and what was tried on the way.

``table`` writes it, from public GloVe vectors, WordNet (``kinds``) and a sentence model (``sentences``). The
Markdown files beside them have the figures behind decisions 14 to 16, measured once.
"""
