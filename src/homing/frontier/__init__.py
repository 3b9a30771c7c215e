"""The frontier: every known URL, and which of the queued ones is fetched next.

``frontier``   the order: lease, release, settle, offer (merges by ``homing.steps``), overwrite; start here
``url_table``  all known URLs as columns of numbers, and the rank that orders them
``hosts``      which host may be requested, and when: delay between requests, quotas, one request at a time
``reasons``    why a URL stands where a re-rank has put it
"""
