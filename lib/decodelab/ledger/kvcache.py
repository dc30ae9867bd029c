"""Figures of page 05, the cache."""

from decodelab.cached import CachedLM
from decodelab.gpt import Shape, as_lm, seeded
from decodelab.tree import Tree


def small() -> CachedLM:
    """A tiny transformer behind the adapter."""
    return as_lm(seeded(Shape(20, 16, 1, 2, 1), 0).double())


def good_rows(prefix: int, accepted: int, drafted: int) -> int:
    """Rows still right after `accepted` of `drafted` tokens were kept, without the start token's."""
    lm, text, drafts = small(), tuple(range(1, prefix + 1)), (11, 12, 13, 14, 15)[:drafted]
    lm.probs_along(text, drafts)
    lm.next_probs((*text, *drafts[:accepted]))
    return lm.cached - 1


def forwards_saved() -> bool:
    """Is the feature at the end of an accepted path there without another forward?"""
    lm = small()
    lm.probs_tree((1,), Tree.chain(1, (2, 3)))
    calls = lm.calls
    lm.features((1, 2, 3))
    return lm.calls == calls


ENTRIES = {
    "roofline.kv.limit": lambda: "page 04, many texts; test_a_long_context_never_becomes_compute_bound",
    "kvcache.rollback": lambda: (
        "page 05, a round leaves a mess; test_prop_any_history_of_calls_equals_fresh_forwards"
    ),
    "spec.rollback.ex4": lambda: good_rows(10, 2, 5) == 12,
    "kvcache.feed.count": lambda: (
        "page 05, a round leaves a mess; test_B66_both_caches_end_one_short_of_the_text_after_every_round"
    ),
    "kvcache.draftcache": lambda: (
        "page 05, who has read what; test_B66_both_caches_end_one_short_of_the_text_after_every_round"
    ),
    "kvcache.scratch": lambda: "vllmdocs",
    "kvcache.tree.keep": lambda: (
        "page 05, the rows of a tree; test_count_accepting_a_path_feeds_only_what_is_new"
    ),
    "kvcache.hidden.reuse": forwards_saved,
}
