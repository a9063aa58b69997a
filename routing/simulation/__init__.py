"""A month of an agent's traffic, for the sample catalogs: written tasks, real selections.

``corpus`` holds the tasks as templates, ``plan`` says who asks what and when, ``conduct`` what an
agent does with the tools that it is given, ``manners`` how its calls go, ``fitting`` with which
arguments, and ``traffic`` lets the planned runs ask the services of ``routing``. Nothing is written
into spans here: they record what was really selected and decided. The tools themselves are made up.

The tasks hold four stories, which a dashboard has to show. Back-office tasks about a delivery often
need stock as well, which they do not say. Half-way through the month a customer portal begins to
forward messages that say next to nothing, and confidence falls; a version is published at the same
time, which is not the cause. ``record_payment`` is offered with its group and no task needs it. And
some agents give up without asking for what they lack: the silent failure.
"""

from routing.simulation.traffic import Simulated, simulate

__all__ = ["Simulated", "simulate"]
