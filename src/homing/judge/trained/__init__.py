"""What the judges that are trained on pages share.

Begin with ``base``: ``TrainedJudge`` does everything but ``fit``. A page passes through ``features`` (its
terms as a vector) and a scorer (``linear``) to a probability (``calibration``).

Training: ``training_set`` collects pages of both classes, with ``ordinary_text`` in place of missing
negatives; ``centroid`` averages pages and ``feature_matrix`` lays them out for a library; ``held_out`` scores
pages that a scorer was not fitted to. ``validation`` measures a trained judge, and ``plain_data`` checks what
is read from a model file.
"""
