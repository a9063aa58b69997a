"""Which runs explore."""

from routing.exploration import explores


def test_a_run_explores_always_or_never() -> None:
    runs = [f"run-{number}" for number in range(200)]

    first = [explores(key=1, run_id=run, share=0.5) for run in runs]

    assert first == [explores(key=1, run_id=run, share=0.5) for run in runs]
    assert 60 < sum(first) < 140


def test_shares_of_zero_and_one_are_exact() -> None:
    runs = [f"run-{number}" for number in range(1000)]

    assert not any(explores(key=1, run_id=run, share=0) for run in runs)
    assert all(explores(key=1, run_id=run, share=1) for run in runs)


def test_about_the_share_explores() -> None:
    share = (
        sum(explores(key=1, run_id=str(number), share=0.01) for number in range(20_000)) / 20_000
    )

    assert 0.007 < share < 0.013
