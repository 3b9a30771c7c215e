from hypothesis import given
from hypothesis import strategies as st

from homing.text.vectors import dot, length, unit

VECTORS = st.dictionaries(st.sampled_from("abcd"), st.floats(0.01, 100.0))


@given(VECTORS)
def test_a_unit_vector_has_length_1_unless_it_is_empty(vector: dict[str, float]) -> None:
    assert abs(length(unit(vector)) - bool(vector)) < 1e-9


@given(VECTORS, VECTORS)
def test_the_dot_product_counts_common_terms_alone(one: dict[str, float], other: dict[str, float]) -> None:
    assert abs(dot(one, other) - sum(one[term] * other[term] for term in one.keys() & other.keys())) < 1e-6
