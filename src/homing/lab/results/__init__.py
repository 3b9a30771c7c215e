"""From runs to figures: measures, comparisons, tables."""
