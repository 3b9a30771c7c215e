"""Text as words and numbers, in some thirty languages.

Begin with ``words``: every module that reads text splits it there.

    >>> from homing.text.words import bag, terms, words
    >>> words("Gardens attract butterflies."), terms("Gardens attract butterflies.")
    (['gardens', 'attract', 'butterflies'], ['garden', 'attract', 'butterfli'])

- ``words``: the tokenizer: words, stems, stop words, bags of terms.
- ``languages``: language codes, stemmers, lists of stop words, word frequencies.
- ``hashing``: terms as hashed features, for models without a vocabulary.
- ``vectors``: length, unit and dot product of sparse vectors by term.
- ``encodings``: the encodings of the web by their labels, and no other codec.
- ``embeddings``: dense vectors of English words and names, and the table of them.
"""
