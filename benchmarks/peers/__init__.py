"""mages-env beside other libraries, on the one game they share: Leduc hold'em.

``python -m benchmarks.peers``, from the repository root, gives every peer a virtual environment of
its own, runs one short measuring script at a time, and takes the libraries in turn, so that a busy
moment on the machine falls on all of them alike. Seconds are seconds of processor time on the one
pinned core, which leaves out what other processes take. Compare the ratios, not the figures.

Two comparisons are made:

play
    Uniform random legal play, the whole loop on one pinned core: pick an action from the mask,
    step, read the next observation, start again at the end. Counted are decisions of players;
    chance nodes and the steps of finished agents take time but are not counted.
search
    Iterations per second of Monte Carlo tree search, 1,000 iterations a move with one random
    roll-out each, at the decisions that random play meets.

The games are not equal to the letter: RLCard (and PettingZoo, which wraps it) posts blinds of 1
and 2 where the others ante 1 each, and lets a player fold when nothing is to be paid.

Modules: ``catalogue`` (who is measured, pinned requirements), ``venvs``, ``runs``, ``report``;
``measuring`` and the ``*_leduc`` and ``*_search`` scripts run inside the peer's interpreter and
import nothing but the standard library, ``measuring`` and that one library.
"""
