"""Whoever reads the charts tells their colours apart, and from what they are drawn on."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings

# How colours look (linear RGB) to who lacks one kind of cone, from Machado, Oliveira and Fernandes,
# "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.
SEEN_BY = {
    "most": np.eye(3),
    "protanopes": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopes": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopes": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = [[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]]
GROUNDS = {"light": "#ffffff", "dark": "#262626"}


def palette(theme: str) -> list[str]:
    css = Path(settings.BASE_DIR, "dashboard/static/dashboard/app.css").read_text()
    start = css.index('[data-bs-theme="dark"] {') if theme == "dark" else 0
    return [
        re.search(rf"--chart-{number}: (#[0-9a-f]{{6}})", css[start:])[1]  # type: ignore[index]
        for number in range(1, 9)
    ]


def linear(colour: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def distance(one: str, other: str, *, seen_by: str) -> float:
    """Return how far apart two colours are in CIELAB, where 2.3 is just noticed."""
    labs = []
    for colour in (one, other):
        seen = np.clip(np.array(SEEN_BY[seen_by]) @ linear(colour), 0, 1)
        x, y, z = np.cbrt(np.array(XYZ) @ seen / np.array([0.9505, 1, 1.0888]))
        labs.append(np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)]))
    return float(np.linalg.norm(labs[0] - labs[1]))


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted(float(np.array(XYZ)[1] @ linear(c)) for c in (one, other))[::-1]
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", GROUNDS)
@pytest.mark.parametrize("seen_by", SEEN_BY)
def test_no_two_colours_look_alike(theme: str, seen_by: str) -> None:
    pairs = combinations(palette(theme), 2)
    apart = {pair: distance(*pair, seen_by=seen_by) for pair in pairs}
    assert min(apart.values()) >= 14, min(apart, key=lambda pair: apart[pair])


@pytest.mark.parametrize("theme", GROUNDS)
def test_every_colour_stands_out_from_its_ground(theme: str) -> None:
    # WCAG 2.2, 1.4.11: three to one for what has to be seen of a picture.
    assert min(contrast(colour, GROUNDS[theme]) for colour in palette(theme)) >= 3
