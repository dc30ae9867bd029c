"""Figures of pages 06a, 06b and 06c, speculative decoding."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from decodelab import citygpt, dists, exact, museum, rules
from decodelab.ledger.rounds import (
    BLOCK_P,
    BLOCK_Q,
    FOUR_P,
    FOUR_Q,
    LANGUAGE,
    TWO_P,
    TWO_Q,
    P,
    Q,
    alpha_of,
    asked_again,
    bigram,
    drafted_chi_square,
    exactly,
    first_token,
    gap,
    kept,
    mean_log,
    mix,
    random_rows,
    same_error,
    scenes,
    split,
    spread,
    table_chi_square,
    three_tokens,
    top,
)
from decodelab.models import random_pairs
from decodelab.rng import NumpyRng, ScriptedRng
from decodelab.speculative import (
    acceptance,
    best_gamma,
    expected_calls,
    expected_tokens,
    expected_wasted,
    round_cost,
    speedup,
)

ALPHAS, COSTS = (0.5, 0.6, 0.7, 0.8, 0.9), (0.2, 0.1, 0.05, 0.02)
LECTURE_ALPHA = 0.9701  # the mean acceptance of the lecture's small draft


def page(letter: str, heading: str, test: str) -> Callable[[], str]:
    """A pitfall: where it is told, and the test in which it fails."""
    return lambda: f"page 06{letter}, {heading}; {test}"


def row(p) -> str:
    """A row in words."""
    return str(tuple(np.asarray(p, dtype=float).round(3).tolist()))


def calls(length: int) -> float:
    """Target calls for a text of so many tokens at the lecture's acceptance, four drafts a round."""
    return expected_calls([LECTURE_ALPHA] * length, 4)


def steady(values) -> bool:
    """Do the values never fall?"""
    return all(a <= b for a, b in zip(values, values[1:], strict=False))


ENTRIES = {
    # page 06a: one token
    "spec.rule.accept": lambda: row(split(P, Q)[0] / Q),
    "spec.rule.residual": lambda: row(dists.normalise(split(P, Q)[1])),
    "spec.law.ex3": lambda: float(first_token(P, Q)[0]),
    "spec.law.proof.accept": lambda: np.allclose(split(P, Q)[0], np.minimum(P, Q), rtol=0, atol=1e-15),
    "spec.residual.mass": lambda: math.isclose(split(P, Q)[1].sum(), 1 - acceptance(P, Q)),
    "spec.law.1000pairs": lambda: all(
        np.abs(np.minimum(p, q) + (1 - acceptance(p, q)) * dists.residual(p, q) - p).max() < 1e-15
        for p, q in random_rows(1000)
    ),
    "spec.alpha.ex3": lambda: float(acceptance(P, Q)),
    "spec.residual.raw.ex3": lambda: row(np.maximum(P - Q, 0)),
    "spec.residual.ex3": lambda: row(dists.residual(P, Q)),
    "spec.alpha.tv": lambda: all(
        math.isclose(np.minimum(p, q).sum(), 1 - dists.tv(p, q)) for p, q in random_rows(1000)
    ),
    "spec.badraft": lambda: bool(
        acceptance([0.6, 0.399, 0.001], [0.001, 0.001, 0.998]) < 0.01
        and dists.tv(first_token([0.6, 0.399, 0.001], [0.001, 0.001, 0.998]), [0.6, 0.399, 0.001]) < 1e-15
    ),
    "spec.alpha.similarity": lambda: steady([acceptance(P, mix(P, Q, t)) for t in np.linspace(0, 1, 21)]),
    "spec.alpha.task": lambda: f"facts {same_error('fact'):.3f}, scenes {same_error('scene'):.3f}",
    "spec.naming": page("a", "what lossless promises", "test_law_when_target_and_draft_change_places"),
    "spec.alpha.greedy": page("a", "does heat help", "test_acceptance_of_greedy_text_can_be_the_lower_one"),
    "spec.alpha.greedydraft": page(
        "a", "what a bad guess costs", "test_a_greedy_draft_is_kept_more_often_or_less"
    ),
    "spec.temp.ushape": page("a", "does heat help", "test_acceptance_falls_and_rises_with_the_temperature"),
    "spec.step4.kl": page(
        "a", "is a nearer draft kept more often", "test_a_smaller_divergence_can_mean_a_lower_acceptance"
    ),
    "spec.residual.meaning": page("a", "why not draw from p again", "test_law_of_the_rejection_branch_alone"),
    "spec.code.residual": page("a", "what happens at the edges", "test_a_residual_that_rounds_to_nothing"),
    "spec.code.accept": lambda: (
        ScriptedRng([np.nextafter(1.0, 0.0)]).bernoulli(min(1, 0.3 / 0.3))
        and not ScriptedRng([0.0]).bernoulli(min(1, 0.0 / 0.3))
    ),
    "spec.greedydraft.pointmass": lambda: row(first_token(P, Q, chosen=True)),
    "spec.wrong.acceptall": page("a", "why not draw from p again", "test_law_of_a_rule_with_one_fault"),
    "spec.wrong.resample": page("a", "why not draw from p again", "test_law_of_a_rule_with_one_fault"),
    "spec.wrong.threshold": page("a", "why not draw from p again", "test_law_of_a_rule_with_one_fault"),
    "spec.wrong.greedydraft": page("a", "if the rule is told another row", "test_law_of_a_greedy_draft"),
    "spec.wrong.processors": page("a", "what lossless promises", "test_law_with_a_map_on_the_draft_only"),
    "spec.wrong.tokenizer": page("a", "what lossless promises", "test_draft_and_target_share_a_vocabulary"),
    "spec.step5.chi2": lambda: drafted_chi_square(50_000),
    "spec.paper.origin": lambda: "leviathan2023, chen2023",
    # page 06b: many tokens
    "spec.rule.bonus": lambda: 3 - kept(TWO_P, TWO_P, 2),
    "spec.lossless": lambda: all(gap(*pair) == 0 for pair in random_pairs(10, 3, 4, rng=NumpyRng(0))),
    "spec.e2e.chi2": lambda: table_chi_square(5000),
    "spec.en.formula": lambda: all(
        math.isclose(1 + kept(P, Q, gamma), (1 - 0.7 ** (gamma + 1)) / (1 - 0.7))
        and math.isclose(1 + kept(P, Q, gamma), expected_tokens(0.7, gamma))
        for gamma in range(5)
    ),
    "spec.speedup.formula": lambda: speedup(0.8, 4, 0.1),
    "spec.ex4.pow5": lambda: expected_tokens(0.8, 5) - expected_tokens(0.8, 4),
    "spec.ex4.tokens": lambda: expected_tokens(0.8, 4),
    "spec.ex4.speedup": lambda: speedup(0.8, 4, 0.1),
    "spec.d16.measured": lambda: (
        f"{exactly(4, 'draft16').tokens_per_call:.2f} vs {expected_tokens(alpha_of('draft16'), 4):.2f}"
    ),
    "spec.sentence.length": lambda: (
        f"mean {exactly(4).tokens:.2f} tokens; {8 / calls(8):.2f} a call at length 8, "
        f"{1000 / calls(1000):.2f} at 1000"
    ),
    "spec.truncation.mix": lambda: (0.35 * 12 + 0.65 * 7) / (0.35 * calls(12) + 0.65 * calls(7)),
    "spec.alpha.spread": lambda: spread("draft16"),
    "spec.hetero": page(
        "b", "why a call brings less than predicted", "test_uneven_acceptance_misleads_either_way"
    ),
    "spec.align.family": lambda: alpha_of("draft8") < alpha_of("draft16"),
    "spec.draft.toolarge": page(
        "b", "how large a draft", "test_the_draft_that_accepts_most_is_not_the_fastest"
    ),
    "spec.n.costs": lambda: steady([expected_wasted(0.8, gamma) for gamma in range(17)]),
    "spec.n.common": lambda: "chen2023",
    "spec.optgamma.a70c10": lambda: best_gamma(0.7, 0.1),
    "spec.optgamma.a80c10": lambda: best_gamma(0.8, 0.1),
    "spec.optgamma.a90c02": lambda: best_gamma(0.9, 0.02),
    "spec.optgamma.trend": lambda: (
        all(steady([best_gamma(alpha, c) for alpha in ALPHAS]) for c in COSTS)
        and all(steady([best_gamma(alpha, c) for c in COSTS]) for alpha in ALPHAS)
    ),
    "spec.latency.45": lambda: 30 * round_cost(5, 3 / 30),
    "spec.latency.150": lambda: 5 * 30 * round_cost(0, 3 / 30),
    "spec.latency.bonus": lambda: (
        f"at most {expected_tokens(1, 5)} tokens, {30 * expected_tokens(1, 5)} ms plain: "
        f"{speedup(1, 5, 3 / 30):.2f}x"
    ),
    "spec.tokens.max": lambda: expected_tokens(1, 5),
    "medusa.pain.serial": lambda: (
        f"{30 * round_cost(5, 3 / 30) - 30:.0f} of {30 * round_cost(5, 3 / 30):.0f} ms"
    ),
    "spec.call.a75n5": lambda: expected_tokens(0.75, 5),
    "spec.call.limit": lambda: "; ".join(
        f"alpha {alpha}: {expected_tokens(alpha, 5):.3f}, not {1 / (1 - alpha):.0f}"
        for alpha in (0.5, 0.75, 0.9)
    ),
    "spec.wallclock.a75n5": lambda: (
        f"{speedup(0.75, 5, 1 / 5):.3f}x; {speedup(0.75, 5, 3 / 30):.3f}x at 3 ms"
    ),
    "spec.code.step": lambda: all(
        gap(*pair, drafter=asked_again) == 0 for pair in random_pairs(10, 3, 4, rng=NumpyRng(1))
    ),
    "spec.code.serial": page("b", "what can one round emit", "test_count_a_round_calls_the_target_once"),
    "spec.code.listtype": page("b", "the drafts after a rejection", "test_a_prefix_may_be_a_list_or_a_tuple"),
    "spec.wrong.staleprefix": page("b", "what a round must not do", "test_law_of_a_round_with_one_fault"),
    "spec.wrong.bonusdraft": page(
        "b", "what a round must not do", "test_law_of_a_bonus_token_from_the_draft"
    ),
    "spec.wrong.keepsuffix": page(
        "b", "the drafts after a rejection", "test_law_of_a_suffix_kept_after_a_rejection"
    ),
    "spec.wrong.sharedu": page("b", "what a round must not do", "test_law_of_one_uniform_for_a_whole_round"),
    "medusa.table13.t5": lambda: "leviathan2023",
    "city.alpha.bigram": lambda: citygpt.acceptance(*bigram()),
    **{
        f"city.spec.exact.{gamma}.tokens_per_call": partial(lambda g: exactly(g).tokens_per_call, gamma)
        for gamma in (1, 2, 4, 8)
    },
    # page 06c: other rules
    "spec.topk.bias": lambda: row([top(k).tv_from(LANGUAGE) for k in (1, 3, 10)]),
    "spec.topk.k1": lambda: (
        f"'the' comes first with {scenes(top(1)):.3f}, not {scenes(exactly(4)):.2f}; "
        f"mean ln P of a sentence {mean_log(top(1)):.2f}, not {mean_log(exactly(4)):.2f}"
    ),
    "spec.topk.k10": lambda: top(10).illegal,
    "spec.topk.lower": lambda: top(1).tokens_per_call < top(3).tokens_per_call < exactly(4).tokens_per_call,
    "spec.topk.ex11": lambda: float(first_token([0.6, 0.4], [0.5, 0.5], rule=partial(rules.top_k, k=1))[0]),
    "spec.pitfall.quality": page(
        "c", "what the lossy rules do to sentences", "test_law_of_city_sentences_under_top_k_acceptance"
    ),
    **{f"city.spec.topk.{k}.tv": partial(lambda k: top(k).tv_from(LANGUAGE), k) for k in (1, 3, 10)},
    **{
        f"city.spec.topk.{k}.tokens_per_call": partial(lambda k: top(k).tokens_per_call, k)
        for k in (1, 3, 10)
    },
    **{f"city.spec.topk.{k}.t3": partial(lambda k: scenes(top(k)), k) for k in (1, 3, 10)},
    **{f"city.spec.topk.{k}.illegal": partial(lambda k: round(top(k).illegal, 12), k) for k in (1, 3, 10)},
    "ladder.token.toy": lambda: kept(TWO_P, TWO_Q, 2),
    "ladder.block.toy": lambda: kept(TWO_P, TWO_Q, 2, rule=rules.traversal),
    "ladder.block.four": lambda: kept(BLOCK_P, BLOCK_Q, 2, rule=rules.traversal),
    "ladder.block.wrong_residual": lambda: exact.law_tv(
        three_tokens(museum.rules.block_with_the_tokens_residual), three_tokens(rules.traversal)
    ),
    "coupling.gumbel": lambda: float(rules.gumbel_agreement(FOUR_P, FOUR_Q)),
}
