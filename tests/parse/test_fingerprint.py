import random

from homing.parse.fingerprint import distance, fingerprint


def _text(words: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [f"w{draw.randrange(5_000)}" for _ in range(words)]


def test_no_text_has_the_fingerprint_zero() -> None:
    assert fingerprint("") == fingerprint(" \n\t") == 0


def test_fingerprints_that_were_stored_stay_comparable() -> None:
    assert fingerprint("Hawk moths fly by night") == 6123831167990979090


def test_spaces_case_and_order_do_not_matter() -> None:
    assert fingerprint("Hawk moths  fly\nby night") == fingerprint("by night hawk moths fly")


def test_near_duplicates_differ_in_few_bits_and_others_in_many() -> None:
    near, far = [], []
    for seed in range(30):
        words = _text(300, seed)
        changed = words.copy()
        for place in (10, 100, 200):
            changed[place] = f"changed{seed}"
        near.append(distance(fingerprint(" ".join(words)), fingerprint(" ".join(changed))))
        far.append(distance(fingerprint(" ".join(words)), fingerprint(" ".join(_text(300, seed + 1_000)))))
    assert max(near) < 10
    assert min(far) > 15


def test_scripts_without_spaces_have_fingerprints_too() -> None:
    page = "蝴蝶在花园里飞舞，白天采集花蜜，夜晚在树叶下休息。许多植物依靠它们传播花粉，所以园丁喜欢它们。"
    assert distance(fingerprint(page), fingerprint(page + "再见。")) < 12
    assert distance(fingerprint(page), fingerprint("图书馆每天早上九点开门，读者可以借阅五本书。")) > 15


def test_long_texts_and_lone_surrogates_are_no_trouble() -> None:
    assert fingerprint("moth " * 200_000) > 0
    assert fingerprint("a\ud800b") >= 0
