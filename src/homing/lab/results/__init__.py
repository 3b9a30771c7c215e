"""From runs to figures. Begin with ``measures``.

``measures``   every measure of one run by its name
``rows``       the measures of each run; ``timings`` what each run cost
``file``       ``results.json``: rows, summaries over topics, comparisons
``intervals``  bootstrap intervals; ``compare`` paired tests between strategies
``tables``     results for the terminal and as Markdown
"""
