"""A month of an agent's traffic, for the sample catalogs: written tasks, real selections.

``corpus`` holds the tasks as templates, ``plan`` says who asks what and when, ``conduct`` what an
agent does with the tools that it is given, and ``traffic`` lets the planned runs ask the services
of ``routing``. Nothing is written into spans here: they record what was really selected.
"""

from routing.simulation.traffic import Simulated, simulate

__all__ = ["Simulated", "simulate"]
