"""mages-env's Leduc hold'em (examples/leduc.py): AEC env() and raw_env(), and the batch."""

from measuring import aec_play, main

GAMES = 4096


def wrapped():
    from examples.leduc import GAME
    from mages_env.envs.aec import Env

    return aec_play(Env(GAME))


def raw():
    from examples.leduc import GAME
    from mages_env.envs.aec import RawEnv

    return aec_play(RawEnv(GAME))


def batch():
    from examples.leduc import GAME
    from mages_env.envs.vector import VectorEnv

    vec = VectorEnv(GAME, num_envs=GAMES, num_players=2, seed=0, threads=1)
    vec.reset(0)

    def play() -> int:
        vec.step(vec.sample_actions())
        return GAMES

    return play


if __name__ == "__main__":
    main("mages-env", {"env()": wrapped, "raw_env()": raw, "batch 4096": batch})
