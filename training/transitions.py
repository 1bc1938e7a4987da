"""From turn-based play in a batch to per-seat transitions, and advantages over them.

In a batch of games each step is one seat's decision, and what a decision earns is paid during the
steps of others, often on the very last one. A *transition* of a seat runs from one of its own
decisions to its next one, or to its end: the rewards it is paid in between are summed into it.
A decision whose sequel lies beyond the end of a rollout stays open and is carried over to the
next rollout, so nothing is lost at the seam.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mages_env.engine import kernel


@kernel
def _link(seat, rewards, out, latest, successor, reward, done, closed):
    """Follow every seat of every game through a rollout; see ``TransitionBuilder.build``."""
    num_steps, num_envs, num_players = rewards.shape
    carried = num_envs * num_players
    for n in range(num_envs):
        for t in range(num_steps):
            mover = seat[t, n]
            if mover >= 0:
                now = carried + t * num_envs + n
                before = latest[n, mover]
                if before >= 0:
                    successor[before] = now
                    closed[before] = True
                latest[n, mover] = now
            for p in range(num_players):
                i = latest[n, p]
                if i >= 0:
                    reward[i] += rewards[t, n, p]
                    if out[t, n, p]:
                        done[i] = True
                        closed[i] = True
                        latest[n, p] = -1


@kernel
def _advantages(successor, reward, done, closed, value, gamma, lam, advantage):
    for i in range(advantage.size - 1, -1, -1):  # a successor always comes later
        advantage[i] = 0.0
        if closed[i]:
            advantage[i] = reward[i] - value[i]
            if not done[i]:
                advantage[i] += gamma * (value[successor[i]] + lam * advantage[successor[i]])


@dataclass(frozen=True)
class Transitions:
    """What became of every decision in a rollout, by index into the builder's buffers (M,).

    Attributes:
        successor: (M,) int64, index of the same seat's next decision; -1 where there is none (yet).
        reward: (M,) float32, paid to the seat from this decision until its next one or its end.
        done: (M,) bool, the seat made no further decision: it is out or its game is over.
        closed: (M,) bool, the transition is complete. False for open decisions, which come again
            in the next rollout, and for empty slots.
    """

    successor: np.ndarray
    reward: np.ndarray
    done: np.ndarray
    closed: np.ndarray

    def advantages(self, value: np.ndarray, gamma: float, lam: float) -> np.ndarray:
        """Generalised advantage estimates along each seat's own decisions, (M,) float32.

        Source: J. Schulman et al., "High-dimensional continuous control using generalized
        advantage estimation" (ICLR 2016).

        Args:
            value: (M,) float32, estimate at every decision, open ones included: the chain
                bootstraps from them.
            gamma: discount per own decision.
            lam: 0 trusts the value of the next own decision, 1 the return alone.
        """
        advantage = np.empty_like(self.reward)
        _advantages(
            self.successor, self.reward, self.done, self.closed, value, gamma, lam, advantage
        )
        return advantage


class TransitionBuilder:
    """Buffers of one rollout, ``num_steps`` decisions in each of ``num_envs`` games.

    A buffer has M = N * P + T * N entries: first the decisions carried over from the rollout
    before, one slot for each row and seat, then step by step the new ones.

    Args:
        num_steps: T.
        num_envs: N.
        num_players: P.
        **fields: what to keep of every decision, name -> (shape, dtype).

    Attributes:
        data: the fields, name -> (M, *shape).
        row, seat: (M,) int32, whose decision it was; seat -1 in an empty slot.
    """

    def __init__(
        self, num_steps: int, num_envs: int, num_players: int, **fields: tuple[tuple, Any]
    ) -> None:
        self.num_steps, self.num_envs, self.num_players = num_steps, num_envs, num_players
        self._carried = num_envs * num_players
        size = self._carried + num_steps * num_envs
        self.data = {name: np.zeros((size, *s), dtype) for name, (s, dtype) in fields.items()}
        self.seat = np.full(size, -1, np.int32)
        self.row = np.concatenate(
            [np.repeat(np.arange(num_envs), num_players), np.tile(np.arange(num_envs), num_steps)]
        ).astype(np.int32)
        self._rewards = np.zeros((num_steps, num_envs, num_players), np.float32)
        self._out = np.zeros((num_steps, num_envs, num_players), np.bool_)
        self._open_reward = np.zeros(self._carried, np.float32)
        self._latest = np.full((num_envs, num_players), -1, np.int64)

    def at(self, name: str, t: int) -> np.ndarray:
        """View (N, *shape) of a field at step ``t``, to be filled."""
        start = self._carried + t * self.num_envs
        return self.data[name][start : start + self.num_envs]

    def add(self, t: int, seat: np.ndarray, rewards: np.ndarray, out: np.ndarray) -> None:
        """What step ``t`` did.

        Args:
            seat: (N,) int32, who decided; -1 where nobody did.
            rewards: (N, P) float32, what the step paid.
            out: (N, P) bool, seats whose game is over with this step, or was before.
        """
        start = self._carried + t * self.num_envs
        self.seat[start : start + self.num_envs] = seat
        self._rewards[t] = rewards
        self._out[t] = out

    def build(self) -> Transitions:
        """The transitions of a rollout all of whose steps were added."""
        size = len(self.seat)
        successor = np.full(size, -1, np.int64)
        reward = np.zeros(size, np.float32)
        reward[: self._carried] = self._open_reward
        done = np.zeros(size, np.bool_)
        closed = np.zeros(size, np.bool_)
        self._latest[:] = np.where(
            self.seat[: self._carried] >= 0, np.arange(self._carried), -1
        ).reshape(self._latest.shape)
        seats = self.seat[self._carried :].reshape(self.num_steps, self.num_envs)
        _link(seats, self._rewards, self._out, self._latest, successor, reward, done, closed)
        self._reward = reward
        return Transitions(successor, reward, done, closed)

    def carry(self) -> None:
        """After ``build``: move the open decisions to the front, for the next rollout."""
        source = self._latest.ravel()
        is_open = source >= 0
        slots, source = np.flatnonzero(is_open), source[is_open]
        for buffer in self.data.values():
            buffer[slots] = buffer[source]
        self.seat[: self._carried] = -1
        self.seat[slots] = slots % self.num_players
        self._open_reward[:] = 0.0
        self._open_reward[slots] = self._reward[source]

    def get_state(self) -> dict[str, np.ndarray]:
        """What is carried over, for a checkpoint between ``carry`` and the next rollout."""
        carried = {name: buffer[: self._carried].copy() for name, buffer in self.data.items()}
        return {
            **carried,
            "seat": self.seat[: self._carried].copy(),
            "open_reward": self._open_reward.copy(),
        }

    def set_state(self, state: dict[str, np.ndarray]) -> None:
        """Go on from ``get_state``."""
        for name, buffer in self.data.items():
            buffer[: self._carried] = state[name]
        self.seat[: self._carried] = state["seat"]
        self._open_reward[:] = state["open_reward"]
