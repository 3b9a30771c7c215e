"""What the benchmarks crawl: servers on loopback, each a program of its own.

``pages`` serves plain pages, ``hostile`` sixteen kinds of misbehaviour;
``process`` starts either as a process.
"""
