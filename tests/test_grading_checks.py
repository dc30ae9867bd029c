"""`check` and what it is made of: tolerance, laws of samplers, half precision, one line for a failure."""

import subprocess
import sys

import numpy as np
import pytest
from decodelab.grading import CheckFailed, check, student_number
from decodelab.grading import _checks as checks
from decodelab.grading._laws import _sample, chi_square, chi_square_threshold, power, same_law
from decodelab.grading.answers import find, judge

P = (0.5, 0.3, 0.2)
LAW = dict(enumerate(P))


def solution(logits):
    if np.isnan(logits).any():
        raise ValueError("NaN")
    return np.argmax(logits)


def no_sentence(found, right):
    """A `compare` that has nothing special to say."""


def inverse_cdf(rng):
    return int(np.searchsorted(np.cumsum(P), rng.uniform(), side="right"))


def gumbel_max(rng, p=P):
    def draw():
        return int(np.argmax(np.log(p) - np.log(-np.log(rng.uniform(3)))))

    return checks.call(draw, about="here")


# --- B101: any correct order of draws ---------------------------------------------------------------


def test_B101_inverse_cdf_passes_exactly_and_gumbel_max_by_chi_square():
    assert same_law(inverse_cdf, LAW, no_sentence).startswith("exact law")
    how = same_law(gumbel_max, LAW, no_sentence)
    assert "20,000 samples" in how and "< 27.63 (df 2, cut-off 1e-06)" in how
    assert "sure to find a law that is .02 off in total variation" in how


def test_B101_a_wrong_sampler_is_rejected_either_way():
    wrong = (0.55, 0.27, 0.18)
    with pytest.raises(CheckFailed, match=r"you give 0 .05 too much \(you .55, right .5\)"):
        same_law(lambda rng: rng.categorical(np.array(wrong)), LAW, no_sentence)
    with pytest.raises(CheckFailed, match=r"you give 0 .* too much .*, chi-square .* > 27.63"):
        same_law(lambda rng: gumbel_max(rng, wrong), LAW, no_sentence)


def test_B101_power_of_the_fallback():
    assert chi_square_threshold(2) == pytest.approx(27.63, abs=0.005)
    generator = np.random.default_rng(101)
    rates = {}
    for wrong in ((0.55, 0.27, 0.18), (0.52, 0.29, 0.19), P):
        draws = generator.multinomial(20_000, wrong, size=2000).tolist()
        rejected = [chi_square(dict(enumerate(counts)), LAW)[0] > 27.63 for counts in draws]
        rates[wrong] = np.mean(rejected)
    assert rates[0.55, 0.27, 0.18] == 1
    assert 0.60 < rates[0.52, 0.29, 0.19] < 0.82
    assert rates[P] == 0


@pytest.mark.parametrize("right", [LAW, {0: 0.01, 1: 0.49, 2: 0.5}, dict(enumerate([1 / 15] * 15))])
def test_B101_what_is_said_to_be_found_is_found(right):
    """The hardest law at the distance that the verdict names: mass moved between the likeliest outcomes."""
    generator, freedom = np.random.default_rng(102), len(right) - 1
    wrong = np.array(list(right.values()))
    half = freedom // 2 if freedom > 2 else 1  # as evenly as can be, for that is hardest to see
    up, down = (np.arange(1, 1 + half), np.arange(-half, 0)) if freedom > 2 else ([-2], [-1])
    wrong[up] += power(freedom) / half
    wrong[down] -= power(freedom) / half
    doubtful, sure = chi_square_threshold(freedom, 0.05), chi_square_threshold(freedom)
    found = []
    for _ in range(2000):
        first, second = (dict(enumerate(generator.multinomial(n, wrong).tolist())) for n in (20_000, 100_000))
        found.append(chi_square(first, right)[0] > doubtful and chi_square(second, right)[0] > sure)
    assert np.mean(found) > 0.995


def test_B101_a_doubtful_sample_is_followed_by_a_larger_one():
    def run(rng):
        return gumbel_max(rng, (0.515, 0.29, 0.195))

    assert 6 < chi_square(_sample(run, 20_000), LAW)[0] < chi_square_threshold(2)
    with pytest.raises(CheckFailed, match="chi-square .* > 27.63"):
        same_law(run, LAW, no_sentence)


def test_B101_an_answer_at_fault_itself_is_told_so_after_it_was_sampled():
    def run(rng):
        return checks.call(lambda: rng.uniform() + "x", about="here")

    with pytest.raises(CheckFailed, match="here your function raises TypeError"):
        same_law(run, LAW, no_sentence)


def test_B101_rare_outcomes_share_a_bin():
    right = {0: 0.9998, 1: 0.0001, 2: 0.0001}
    statistic, freedom = chi_square({0: 19_996, 1: 4}, right)
    assert freedom == 1 and statistic < 1e-6


# --- B102: tolerance --------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [-16 + 1e-12, -15.999999999999996, np.float32(-16.0000019), -16])
def test_B102_rounding_passes(value):
    checks.same_number(checks.as_number(value, "x"), -16.0, about="here", slips={})


@pytest.mark.parametrize("value", [-16.001, -15.999, 16.0])
def test_B102_an_error_in_the_third_digit_fails(value):
    with pytest.raises(CheckFailed, match="here you give"):
        checks.same_number(value, -16.0, about="here", slips={})


@pytest.mark.parametrize("error, passes", [(1e-12, True), (1e-3, False)])
def test_B102_through_a_whole_check(error, passes):
    def law_of_redraw(p):
        return p * (1 + p[0]) + error - np.array([p[0] + 3 * error, 0, 0])

    for answer in (law_of_redraw, lambda p: law_of_redraw(p).astype(np.float32)):
        verdict = judge("ex01.law_of_redraw", answer)
        assert (verdict.state == "right") is passes, verdict.sentence


def test_B102_the_tolerance_is_stated(capsys):
    check("ex01.expected_score", lambda p, q: float(np.dot(p, q)))
    assert "relative tolerance 1e-5" in capsys.readouterr().out


def test_two_slips_that_give_the_same_are_not_named():
    with pytest.raises(CheckFailed, match="here you give 2, 1 too much"):
        checks.same_number(2.0, 1.0, about="here", slips={"this": 2.0, "that": 2.0})


@pytest.mark.parametrize("value, right", [(-np.inf, -np.inf), (0.0, 0.0), (1e-12, 0.0)])
def test_B102_infinities_and_zeros(value, right):
    assert checks.close(value, right)
    assert not checks.close(5.0, -np.inf) and not checks.close(-np.inf, 5.0)


# --- B104: half precision ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
def test_B104_half_precision_answers_are_read(name):
    torch = pytest.importorskip("torch")
    dtype = getattr(torch, name)
    row = torch.tensor([1, 2, 3], dtype=dtype)
    assert checks.as_row(row, 3, "row") == [1.0, 2.0, 3.0]
    assert checks.as_number(row[1], "x") == 2.0
    assert checks.as_token(row.argmax(), "token") == 2
    assert checks.as_tokens([row[0], row[2]], "tokens") == (1, 3)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_B104_a_greedy_answer_in_half_precision_is_right_where_it_can_be(name):
    torch = pytest.importorskip("torch")
    logits = torch.tensor([1.0, 2.0, 3.0], dtype=getattr(torch, name))
    assert solution(np.array(checks.plain(logits))) == 2

    def halved(values):
        return solution(values) * torch.ones((), dtype=getattr(torch, name))

    assert judge("ex01.greedy_token", halved).state == "right"


# --- how a check speaks -----------------------------------------------------------------------------


def test_a_failure_is_one_line_in_jupyter():
    pytest.importorskip("IPython")
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "from traitlets.config import Config\n"
        "c = Config(); c.HistoryManager.enabled = False\n"
        "s = InteractiveShell(config=c)\n"
        "s.run_cell('from decodelab.grading import check')\n"
        "s.run_cell('check(\"ex01.greedy_token\", lambda logits: 0)')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    sentence = "for logits [1, 3, 2] you return 0: the largest logit stands at 1"
    assert done.stdout.strip() == f"not right yet: {sentence}"


def test_credit_is_carried():
    with pytest.raises(CheckFailed) as failure:
        check("ex01.greedy_token", lambda logits: int(np.argmax(logits)))
    assert failure.value.credit == 0.75
    with pytest.raises(ValueError, match="credit must lie in"):
        CheckFailed("sentence", 1.0)


def test_a_stub_is_not_written_yet_and_counts_0_for_nbgrader(capsys):
    def stub(logits):
        raise NotImplementedError("write this function")

    assert check("ex01.greedy_token", stub) == 0
    assert check("ex01.mention", None, student="ada") == 0
    assert check("ex01.greedy_token", solution) is None
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ex01.greedy_token: not written yet"
    assert lines[1] == "ex01.mention: not written yet"
    assert lines[2].startswith("right: ")


@pytest.mark.parametrize(
    "name, message",
    [
        ("ex01.gredy", "no check 'gredy'; it has .*greedy_token"),
        ("ex01.np", "no check 'np'"),
        ("ex01.__all__", "must look like"),
        ("ex99.greedy_token", "no set 'ex99'"),
        ("greedy_token", "must look like 'ex01.greedy_token', got 'greedy_token'"),
        (3, "must look like .* got 3"),
    ],
)
def test_an_unknown_name_is_refused(name, message):
    with pytest.raises(ValueError, match=message):
        check(name, solution)


def test_every_name_of_a_set_is_found():
    from decodelab.grading import ex01

    for task in ex01.__all__:
        assert find(f"ex01.{task}").__name__ == task


def test_student_must_be_given_where_it_is_wanted_and_only_there():
    with pytest.raises(TypeError, match="student=STUDENT"):
        check("ex01.mention", 0.5)
    with pytest.raises(TypeError, match="takes no student"):
        check("ex01.greedy_token", solution, student="ada")


@pytest.mark.parametrize("answer", [3, "greedy", [solution]])
def test_something_that_is_no_function_is_named(answer):
    with pytest.raises(CheckFailed, match="greedy_token must be a function, you give"):
        check("ex01.greedy_token", answer)


def test_what_an_answer_raises_is_one_sentence():
    with pytest.raises(CheckFailed, match=r"for logits \[1, 3, 2\] your function raises IndexError"):
        check("ex01.greedy_token", lambda logits: logits[7])
    with pytest.raises(CheckFailed, match="raises TypeError"):
        check("ex01.greedy_token", lambda: 1)


def test_the_amount_is_not_told_where_one_number_is_asked():
    for value in (0.0, 0.3):
        verdict = judge("ex01.mention", value, student="ada")
        assert verdict.state == "wrong" and verdict.sentence.endswith(("too small", "too large"))


def test_numbers_follow_from_the_id_alone():
    assert student_number("Ada ", "ex01.city", 10) == student_number("ada", "ex01.city", 10) == 8
    values = {student_number(f"s{i}", "task", 10) for i in range(80)}
    assert values == set(range(10))
    assert student_number("ada", "one", 10**6) != student_number("ada", "two", 10**6)
    for bad in (None, "", "  ", 7):
        with pytest.raises(ValueError, match="student must be your id"):
            student_number(bad, "task", 10)
    with pytest.raises(ValueError, match="choices must be at least 1"):
        student_number("ada", "task", 0)


def test_grading_needs_no_torch():
    code = (
        "import sys, decodelab.grading as g, decodelab.grading.ex01, decodelab.grading.__main__\n"
        "g.check('ex01.expected_score', lambda p, q: sum(p * q))\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
