"""Fetching: asking hosts for pages, politely, and surviving what they answer.

``client``     the fetcher of a live crawl: robots.txt first, then the page, then what its status means
``permission`` who has told us what in robots.txt, and how a host is asked for it
``robots``     what a robots.txt says, as a pure function of its text
``exchange``   one request and its reply over aiohttp; every trouble of the network becomes a value here
``deadline``   how long a reply may take
``decode``     content encodings undone under caps
``guard``      addresses we never connect to
``pace``       what holds for the crawl as a whole: pages and bytes a second, times of day
``turns``      keeps requests apart where a redirect leads to a host that nobody leased
``settings``   who we say we are, and what we put up with
``trouble``    what can go wrong on the way, and when asking again makes sense
"""
