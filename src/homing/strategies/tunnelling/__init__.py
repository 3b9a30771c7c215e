"""``tunnelling`` widens the topic while little of it is found, and narrows it again when there is enough.

``wider`` computes the wider topics, by a taxonomy or by words.
"""
