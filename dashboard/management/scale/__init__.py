"""Millions of spans: how they are made, what pages over them take, and what a killed process loses.

``patterns`` are simulated runs, ``copying`` makes as many of them as are asked for and ``bulk``
writes them; ``charts``, ``raw`` and ``searches`` measure what reads them; ``posting`` sends what an
agent sends to a server of ``serving``, whose processes ``killing`` kills.
"""
