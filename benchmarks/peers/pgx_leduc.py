"""Pgx's leduc_holdem on the CPU, 4,096 games at once, with its auto-reset.

Picking and stepping are one jitted function, which favours Pgx: ``host loop`` calls it once per
step and waits for the new state, ``scan`` calls it 100 times inside one ``lax.scan``.
"""

from measuring import main

GAMES = 4096
SCANNED = 100


def start(steps_per_call: int):
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    jax.config.update("jax_platforms", "cpu")
    env = pgx.make("leduc_holdem")
    step = jax.vmap(auto_reset(env.step, env.init))

    def pick(mask, key):
        """Uniform over the legal actions; as fast as jax.random.categorical or faster."""
        nth = jnp.cumsum(mask, axis=-1, dtype=jnp.int32)
        wanted = jax.random.uniform(key, (GAMES, 1)) * nth[:, -1:]
        return jnp.argmax(nth > wanted.astype(jnp.int32), axis=-1)

    def turn(carry, _=None):
        state, key = carry
        key, pick_key, step_key = jax.random.split(key, 3)
        action = pick(state.legal_action_mask, pick_key)
        return (step(state, action, jax.random.split(step_key, GAMES)), key), None

    if steps_per_call == 1:
        advance = jax.jit(lambda carry: turn(carry)[0])
    else:
        advance = jax.jit(lambda carry: jax.lax.scan(turn, carry, length=steps_per_call)[0])
    key = jax.random.key(0)
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES)), key

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(advance(carry))
        return GAMES * steps_per_call

    return play


if __name__ == "__main__":
    main(
        "pgx",
        {"batch 4096, host loop": lambda: start(1), "batch 4096, scan": lambda: start(SCANNED)},
    )
