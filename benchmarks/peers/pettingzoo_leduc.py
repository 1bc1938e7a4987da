"""PettingZoo classic's leduc_holdem_v4: env() with its wrappers, raw_env() without."""

from measuring import aec_play, main


def wrapped():
    from pettingzoo.classic import leduc_holdem_v4

    return aec_play(leduc_holdem_v4.env())


def raw():
    from pettingzoo.classic import leduc_holdem_v4

    return aec_play(leduc_holdem_v4.raw_env())


if __name__ == "__main__":
    main("pettingzoo", {"env()": wrapped, "raw_env()": raw})
