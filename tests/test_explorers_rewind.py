"""The figure `rewind`: its counts against a model with a cache, its JavaScript against its Python."""

import json
from importlib import resources

import pytest
import torch
from decodelab import explorers
from decodelab.cached import CachedLM
from decodelab.explorers import rewind_rows
from decodelab.gpt import GPTBackend, Shape, seeded
from decodelab.kvcache import KVCache
from decodelab.tree import Tree
from test_explorers import Elements, run_javascript

SHAPE = Shape(vocab_size=5, width=16, layers=2, heads=4, kv_heads=2)
EVERY = [(gamma, accepted) for gamma in range(1, 6) for accepted in range(gamma + 1)]
HARNESS = (
    "const answer = cases.map(([held, gamma, accepted, behind]) => rewind(held, gamma, accepted, behind));"
)


class Counting(GPTBackend):
    """A backend that notes how long its cache is after every forward and after every cut."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.lengths = []

    def feed(self, *arguments):
        rows = super().feed(*arguments)
        self.lengths.append(("fed", self.cache.length))
        return rows

    def keep(self, rows):
        super().keep(rows)
        self.lengths.append(("cut", self.cache.length))


@pytest.fixture(scope="module")
def network():
    return seeded(SHAPE, 3).double().eval().requires_grad_(False)


class Pair:
    """A target and a draft model with caches, which play rounds on drafts given to them."""

    def __init__(self, network, prefix):
        self.backends = [Counting(network, KVCache(SHAPE, 64, dtype=torch.float64)) for _ in range(2)]
        self.target, self.draft = (CachedLM(backend, start=0) for backend in self.backends)
        self.prefix = prefix
        self.target.next_probs(prefix[:-1]), self.draft.next_probs(prefix[:-1])

    def play(self, drafts, accepted, new):
        """Play one round and cut the caches; return the counts of each as `rewind_rows` names them."""
        models = (self.target, self.draft)
        before, fed = [lm.cached for lm in models], [lm.fed for lm in models]
        for i in range(len(drafts)):
            self.draft.next_probs((*self.prefix, *drafts[:i]))
        self.target.probs_tree(self.prefix, Tree.chain(self.prefix[-1], drafts))
        read = [lm.fed - n for lm, n in zip(models, fed, strict=True)]
        most = [backend.cache.length for backend in self.backends]
        self.prefix = (*self.prefix, *drafts[:accepted], new)
        counts = [self._cut(*each) for each in zip(models, self.backends, before, read, most, strict=True)]
        return len(self.prefix) + 1, *counts

    def _cut(self, lm, backend, before, read, most):
        # Both cut when they are next asked; what they hold of the new text is known without a forward.
        backend.lengths.clear()
        held = len(self.prefix)  # the start token's row and all but the pending token
        held = min(held, most)  # a drafter that kept all lacks a row
        lm.next_probs(self.prefix[: held - 1])
        assert all(kind == "cut" for kind, _ in backend.lengths), "asking for a held row costs no forward"
        after = backend.cache.length
        assert after == lm.cached
        return before, read, most, most - after, after, len(self.prefix) + 1 - after


@pytest.mark.parametrize(("gamma", "accepted"), EVERY)
def test_B66_the_counts_are_those_of_a_model_with_a_cache(network, gamma, accepted):
    """Ten rows held and a pending token; then a second round from wherever the first has left the caches."""
    pair = Pair(network, (1, 2, 3, 4, 1, 2, 3, 4, 1, 2))
    first = rewind_rows.rewind(10, gamma, accepted)
    assert pair.play((1, 2, 3, 4, 1)[:gamma], accepted, 0) == first
    behind = first.target.after - first.draft.after
    assert behind == (accepted == gamma)
    for again in range(gamma + 1):
        pair = Pair(network, (1, 2, 3, 4, 1, 2, 3, 4, 1, 2))
        pair.play((1, 2, 3, 4, 1)[:gamma], accepted, 0)
        second = rewind_rows.rewind(first.target.after, gamma, again, behind=behind)
        assert pair.play((4, 3, 2, 1, 4)[:gamma], again, 0) == second


@pytest.mark.parametrize(("gamma", "accepted"), EVERY)
def test_B66_asking_for_the_next_law_reads_what_the_counts_say_is_left(network, gamma, accepted):
    pair = Pair(network, (1, 2, 3, 4, 1, 2, 3, 4, 1, 2))
    pair.play((1, 2, 3, 4, 1)[:gamma], accepted, 0)
    counts = rewind_rows.rewind(10, gamma, accepted)
    for lm, rows in ((pair.target, counts.target), (pair.draft, counts.draft)):
        fed = lm.fed
        lm.next_probs(pair.prefix)
        assert (lm.fed - fed, lm.cached) == (rows.left, counts.committed)


def test_B66_both_caches_end_one_short_and_the_draft_one_more_after_full_acceptance():
    for gamma, accepted in EVERY:
        counts = rewind_rows.rewind(10, gamma, accepted)
        assert counts.target.cut == gamma - accepted and counts.target.after == counts.committed - 1
        if accepted < gamma:
            assert counts.draft.cut == gamma - accepted - 1 and counts.draft.after == counts.committed - 1
        else:
            assert counts.draft.cut == 0 and counts.draft.left == 2


def test_ref_javascript_counts_as_python():
    cases = [[h, g, a, b] for h in (1, 2, 10, 57) for g in range(1, 9) for a in range(g + 1) for b in (0, 1)]
    steps = resources.files("decodelab.explorers").joinpath("rewind_steps.js").read_text(encoding="utf-8")
    answers = run_javascript(f"const cases = {json.dumps(cases)};\n{steps}\n{HARNESS}")
    for (*given, behind), theirs in zip(cases, answers, strict=True):
        ours = rewind_rows.rewind(*given, behind=behind)
        expected = {"target": ours.target._asdict(), "draft": ours.draft._asdict()}
        assert theirs == expected | {"committed": ours.committed}, given


def test_prop_the_fallback_has_every_accept_length():
    text = explorers.rewind(gamma=5, accepted=2)._repr_html_()
    light = Elements(text)
    (image,) = light.named("img")
    assert "grows to 16 rows and is cut by 3 to 13" in image["alt"]
    assert "grows to 15 and is cut by 2 to 13. 14 tokens are committed" in image["alt"]
    table = explorers.rewind(gamma=4).table
    assert [row[0] for row in table[1:]] == ["0", "1", "2", "3", "4"]
    assert table[3] == ("2", "14", "2", "13", "1", "13", "1")
    assert table[5] == ("4", "16", "0", "15", "0", "14", "2")
    assert len(text) < 40_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"held": 0}, "held must be an integer from 1 to 100"),
        ({"gamma": 9}, "gamma must be an integer from 1 to 8"),
        ({"gamma": 2, "accepted": 3}, "accepted must be an integer from 0 to 2"),
        ({"step": 5}, "step must be an integer from 0 to 4"),
    ],
)
def test_prop_errors_name_the_argument(arguments, words):
    with pytest.raises(ValueError, match=words):
        explorers.rewind(**arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 4, 2, 0), "held must be at least 1"),
        ((10, 0, 0, 0), "gamma must be at least 1"),
        ((10, 4, 5, 0), "accepted must be from 0 to 4"),
        ((10, 4, 2, 2), "behind must be from 0 to 1"),
    ],
)
def test_prop_errors_of_the_counts_name_the_argument(arguments, words):
    *given, behind = arguments
    with pytest.raises(ValueError, match=words):
        rewind_rows.rewind(*given, behind=behind)
