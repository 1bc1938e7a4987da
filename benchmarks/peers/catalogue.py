"""Who is measured: one line per interface, and the versions each library is pinned to."""

from __future__ import annotations

from dataclasses import dataclass

OURS = "mages-env"

#: pip requirements of each peer's virtual environment; last installed and run on 2026-11-29
#: with Python 3.11. Everything that weighs on speed is pinned, not the library alone.
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "pettingzoo": (
        "pettingzoo==1.27.0",
        "gymnasium==1.4.0",
        "rlcard==1.2.0",
        "pygame==2.6.1",
        "numpy==2.4.6",
    ),
    "rlcard": ("rlcard==1.2.0", "numpy==2.4.6"),
    "open_spiel": ("open_spiel==2.0.2", "numpy==2.4.6", "scipy==1.17.1"),
    "pgx": ("pgx==2.6.0", "jax==0.10.2", "jaxlib==0.10.2", "numpy==2.4.6"),
}


@dataclass(frozen=True)
class Contender:
    """One interface of one library, measured by ``script`` called with ``interface``."""

    comparison: str
    library: str
    interface: str
    script: str

    @property
    def ours(self) -> bool:
        return self.library == OURS


CONTENDERS: tuple[Contender, ...] = (
    Contender("play", OURS, "env()", "ours_leduc.py"),
    Contender("play", OURS, "raw_env()", "ours_leduc.py"),
    Contender("play", OURS, "batch 4096", "ours_leduc.py"),
    Contender("play", "pettingzoo", "env()", "pettingzoo_leduc.py"),
    Contender("play", "pettingzoo", "raw_env()", "pettingzoo_leduc.py"),
    Contender("play", "rlcard", "env", "rlcard_leduc.py"),
    Contender("play", "open_spiel", "C++ state", "open_spiel_leduc.py"),
    Contender("play", "open_spiel", "rl_environment", "open_spiel_leduc.py"),
    Contender("play", "pgx", "batch 4096, host loop", "pgx_leduc.py"),
    Contender("play", "pgx", "batch 4096, scan", "pgx_leduc.py"),
    Contender("search", OURS, "ISMCTS", "ours_search.py"),
    Contender("search", "open_spiel", "C++ ISMCTSBot", "open_spiel_search.py"),
    Contender("search", "open_spiel", "C++ MCTSBot", "open_spiel_search.py"),
)
UNITS = {"play": "decisions/s", "search": "iterations/s"}
