"""Self-play PPO on the batched environment.

One network plays every seat. In a share of the games some seats are held by past selves, so that
the policy does not forget how to beat them. Sources: J. Schulman et al., "Proximal policy
optimization algorithms" (2017), in the manner of CleanRL; S. Huang, S. Ontañón, "A closer look at
invalid action masking in policy gradient algorithms" (2022); opponent pool after T. Bansal et al.,
"Emergent complexity via multi-agent competition" (ICLR 2018).

What is particular to games of several seats is in ``transitions``: a decision's reward is what its
seat is paid until that seat decides again, and advantages run along each seat's own decisions.
The value of a seat is the game's own estimate (``Game.evaluate``), where it has one, plus what the
critic learns to add to it; that changes neither rewards nor what is optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mages_env.agents.neural.network import Network, load_weights, save_weights
from mages_env.agents.neural.sampling import index_legal, sample_masked
from mages_env.engine.learner_kernels import evaluate_rows
from mages_env.envs.vector import VectorEnv
from mages_env.game import Game
from mages_env.training import run
from mages_env.training.evaluation import compiled_policies
from mages_env.training.run import (
    MODEL,
    RESUME,
    below,
    cores,
    flat,
    load_optimizer,
    save_optimizer,
    to_torch,
)
from mages_env.training.transitions import TransitionBuilder

__all__ = ["MODEL", "RESUME", "Args", "Learner", "train"]

PAST_AT_ONCE = 2
"""Past selves that play in an update."""
POOL_INTERVAL = 20
"""Updates between two selves in the pool, until it is full."""
STATISTICS = ("surrogate", "value_error", "entropy", "kl")


@dataclass
class Args:
    """Settings of a run."""

    decisions: int = 5_000_000
    """Decisions to train for, of all seats together; the learning rate falls to 0 over them."""
    minutes: float = 0.0
    """Train for this long in all, earlier parts of a resumed run included, instead of a number of
    decisions; 0: by decisions."""
    seed: int = 0
    """Seeds games, weights, sampling and shuffling; same seed and threads, same result."""
    threads: int = 0
    """Threads that share rows and minibatches; 0: one for each core."""
    encoder: str = ""
    """Name of the observation; empty: the game's first."""

    num_envs: int = 512
    """Games played at once."""
    num_steps: int = 32
    """Decisions in each of them between two updates."""
    epochs: int = 2
    """Passes over the decisions of an update."""
    minibatch: int = 1024
    """Decisions a gradient step."""
    learning_rate: float = 7e-4
    """Of Adam, at the start."""
    gamma: float = 1.0
    """Discount per own decision; games end, so none is needed."""
    gae_lambda: float = 0.95
    """Between trusting the critic (0) and the outcome (1)."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy: float = 0.02
    """Weight of the entropy bonus, at the start; it falls to 0 with the learning rate."""
    max_grad_norm: float = 0.5
    """Longer gradients are shortened to this, policy and critic each by itself."""
    hidden: tuple[int, ...] = (128, 128)
    """Width of each hidden layer of the policy."""
    critic_hidden: tuple[int, ...] = (128, 128)
    """Width of each hidden layer of the critic."""

    past_share: float = 0.2
    """Share of the games in which past selves hold some seats."""
    pool_size: int = 20
    """Past selves kept, evenly spread over the run so far."""
    opponents: tuple[str, ...] = ()
    """Agents with a compiled policy that hold some seats in a further share of the games."""
    opponents_share: float = 0.2
    """That share."""

    save_every: int = 50
    """Updates between two checkpoints: the most a kill can lose."""
    evaluate_every: int = 500_000
    """Decisions between two evaluations."""
    evaluate_games: int = 600
    """Games against each of the fixed opponents in an evaluation."""


def train(
    game: Game,
    args: Args,
    run_dir: str | Path,
    *,
    num_players: int | None = None,
    options: Mapping[str, Any] | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Path:
    """Train a policy by self-play.

    Args:
        game: the game.
        args: settings.
        run_dir: folder of the run; gets ``model.safetensors`` (for ``NeuralAgent``),
            ``resume.safetensors``, ``progress.csv``, ``learning_curve.png``, ``tensorboard/``.
        num_players: seats; None: the game's default.
        options: the game's options.
        resume: go on with the run in ``run_dir``.
        quiet: no progress bar.

    Returns:
        Path of the model.

    Raises:
        ValueError: settings that cannot be; a folder that already holds a run, or holds none to
            resume, or one of other settings.
        KeyboardInterrupt: Ctrl-C; the run is saved and can be resumed.
    """
    return run.train(Learner, game, args, run_dir, num_players, options, resume, quiet)


class Workers:
    """Threads that share the rows of what is to be computed.

    Torch's own threads meet in every small operation, which on few cores, or busy ones, costs more
    than it gains; here each thread goes through a whole forward or backward pass by itself.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._before = torch.get_num_threads()
        torch.set_num_threads(1)
        self._pool = ThreadPoolExecutor(
            max(1, threads - 1), initializer=torch.set_num_threads, initargs=(1,)
        )

    def map(self, function: Callable[[Any], Any], rows: Any) -> list[Any]:
        """Results of ``function`` for consecutive parts of ``rows``, in order."""
        bounds = np.linspace(0, len(rows), min(self._threads, len(rows)) + 1).astype(int)
        parts = [rows[a:b] for a, b in pairwise(bounds.tolist())]
        others = [self._pool.submit(function, part) for part in parts[1:]]
        return [function(parts[0]), *(other.result() for other in others)]

    def close(self) -> None:
        """End the threads; torch has its own again."""
        self._pool.shutdown()
        torch.set_num_threads(self._before)


@dataclass(frozen=True)
class Batch:
    """What is learned from, for n closed transitions.

    Attributes:
        observation: (n, D) float32.
        legal: (n, L) int64, the legal actions, filled up with 0.
        padding: (n, L) bool, where ``legal`` is filled up.
        choice: (n, 1) int64, the action taken, as an index into ``legal``.
        log_prob: (n,) float32 of the action when it was taken.
        advantage: (n,) float32, of mean 0 and deviation 1.
        target: (n,) float32, what the critic should say.
    """

    observation: torch.Tensor
    legal: torch.Tensor
    padding: torch.Tensor
    choice: torch.Tensor
    log_prob: torch.Tensor
    advantage: torch.Tensor
    target: torch.Tensor


class Learner(run.Learner):
    """Games, networks, optimiser and pool of a run."""

    kind = "ppo"
    title = "PPO"

    def __init__(self, game: Game, args: Args, config: Mapping[str, Any]) -> None:
        super().__init__(game, args, config)
        self.workers = Workers(args.threads or cores())
        encoder = args.encoder or None
        n, players = args.num_envs, config["num_players"]
        self.env = VectorEnv(game, n, seed=args.seed, check=False, encoder=encoder, **config)
        size, num_actions = self.env.encoder.layout.size, game.num_actions
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(args.seed)
            self.policy = Network(size, args.hidden, num_actions, last_gain=0.01)
            self.critic = Network(size, args.critic_hidden, 1, last_gain=0.1)
        self.optimizer = torch.optim.Adam(
            [*self.policy.parameters(), *self.critic.parameters()],
            lr=args.learning_rate,
            eps=1e-5,
            fused=True,
        )
        self.builder = TransitionBuilder(
            args.num_steps,
            n,
            players,
            observation=((size,), np.float32),
            action_mask=((num_actions,), np.int8),
            action=((), np.int64),
            log_prob=((), np.float32),
            estimate=((), np.float32),
        )
        self.rng = np.random.default_rng(args.seed)
        self.streams = self.rng.integers(2**64, size=n, dtype=np.uint64)
        self.table = game.table(encoder)
        self.pool: list[dict[str, torch.Tensor]] = []
        self.past = [Network(size, args.hidden, num_actions) for _ in range(PAST_AT_ONCE)]
        policies = compiled_policies(game, args.opponents).values()
        self.opponents = [game.table(encoder, policy) for policy in policies]
        self._assign_seats()
        self.env.reset()

    def _assign_seats(self) -> None:
        """Who holds which seat: ``holder`` (N, P), 0 the learner, then past selves, then agents."""
        args, players = self.args, self.env.num_players
        rows = np.arange(args.num_envs)
        past = int(args.past_share * args.num_envs)
        agents = int(args.opponents_share * args.num_envs) if self.opponents else 0
        if past + agents > args.num_envs:
            raise ValueError("past_share and opponents_share must not add up to more than 1")
        other = np.zeros(args.num_envs, np.int64)
        other[:past] = 1 + rows[:past] % PAST_AT_ONCE
        if agents:
            other[past : past + agents] = 1 + PAST_AT_ONCE + rows[:agents] % len(self.opponents)
        if players == 1:  # nobody else to play with
            other[:] = 0
        # Every way to give some seats, but not all, to the learner, in turn.
        pattern = 1 + rows // max(PAST_AT_ONCE, len(self.opponents)) % max(1, 2**players - 2)
        learns = (pattern[:, None] >> np.arange(players)) & 1
        self.holder = np.where(learns == 1, 0, other[:, None])

    def act(self, observation: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> np.ndarray:
        actions, log_prob = np.empty(len(mask), np.int64), np.empty(len(mask), np.float32)
        sample_masked(self._logits(self.policy, observation), mask, rng, actions, log_prob)
        return actions

    def _logits(self, network: Network, observation: np.ndarray) -> np.ndarray:
        def logits(rows: np.ndarray) -> np.ndarray:
            with torch.no_grad():
                return network(torch.from_numpy(rows)).numpy()

        return np.concatenate(self.workers.map(logits, observation))

    def update(self) -> dict[str, float]:
        if self.args.past_share > 0.0:
            self._renew_past()
        self._play()
        statistics = self._learn()
        self.builder.carry()
        self.updates += 1
        self.decisions += self.args.num_envs * self.args.num_steps
        return statistics

    def _renew_past(self) -> None:
        """Put the present self into the pool now and then, and draw who plays this time.

        The interval doubles whenever the pool is full, and every second self is dropped.
        """
        interval = POOL_INTERVAL
        while self.updates // interval >= self.args.pool_size:
            interval *= 2
        if self.updates % interval == 0:
            if len(self.pool) == self.args.pool_size:
                self.pool = self.pool[::2]
            self.pool.append({k: v.clone() for k, v in self.policy.state_dict().items()})
        for network in self.past:
            network.load_state_dict(self.pool[self.rng.integers(len(self.pool))])

    def _play(self) -> None:
        env, builder = self.env, self.builder
        rows = np.arange(env.num_envs)
        estimates = np.zeros((env.num_envs, self.game.max_players), np.float32)
        for t in range(self.args.num_steps):
            seat = env.seat.copy()
            holder = self.holder[rows, seat]
            if self.game.evaluate is not None:
                evaluate_rows(env.states, estimates, self.table, 0, env.num_envs)
            builder.at("observation", t)[:] = env.observation
            builder.at("action_mask", t)[:] = env.action_mask
            builder.at("estimate", t)[:] = estimates[rows, seat]
            actions, log_prob = builder.at("action", t), builder.at("log_prob", t)
            logits = self._logits(self.policy, env.observation)
            for k, network in enumerate(self.past, start=1):
                theirs = np.flatnonzero(holder == k)
                if theirs.size:
                    logits[theirs] = self._logits(network, env.observation[theirs])
            sample_masked(logits, env.action_mask, self.streams, actions, log_prob)
            for k, table in enumerate(self.opponents, start=1 + len(self.past)):
                env.act(table, holder == k, actions)
            env.step(actions)
            over = env.terminated | env.truncated
            builder.add(t, seat, env.rewards, self._out() | over[:, None])

    def _out(self) -> np.ndarray:
        """(N, P) bool, seats that are out of a game that goes on (ALL-06)."""
        states, players = self.env.states, self.env.num_players
        return (states["terminated"] | states["truncated"])[:, :players] != 0

    def _learn(self) -> dict[str, float]:
        args, data = self.args, self.builder.data
        transitions = self.builder.build()
        seat, row = self.builder.seat, self.builder.row
        own = (seat >= 0) & (self.holder[row, seat] == 0)
        value = np.zeros(len(seat), np.float32)
        value[own] = self._logits(self.critic, data["observation"][own])[:, 0]
        value += data["estimate"]
        advantage = transitions.advantages(value, args.gamma, args.gae_lambda)
        # A forced decision is a link in the chain of advantages, but there is nothing to learn.
        free = data["action_mask"].sum(axis=1, dtype=np.int64) > 1
        used = np.flatnonzero(own & transitions.closed & free)
        if not used.size:
            return {"learned_from": 0.0}
        legal, count, choice = index_legal(data["action_mask"], used, data["action"])
        gained = advantage[used]
        batch = Batch(
            observation=torch.from_numpy(data["observation"][used]),
            legal=torch.from_numpy(legal),
            padding=torch.from_numpy(np.arange(legal.shape[1]) >= count[:, None]),
            choice=torch.from_numpy(choice[:, None]),
            log_prob=torch.from_numpy(data["log_prob"][used]),
            advantage=torch.from_numpy((gained - gained.mean()) / (gained.std() + 1e-8)),
            target=torch.from_numpy(gained + value[used] - data["estimate"][used]),
        )
        left = max(0.0, 1.0 - self.share)
        for group in self.optimizer.param_groups:
            group["lr"] = args.learning_rate * left
        sums = np.zeros(len(STATISTICS))
        batches = max(1, round(len(used) / args.minibatch))
        for _ in range(args.epochs):
            order = torch.from_numpy(self.rng.permutation(len(used)))
            for rows in order.chunk(batches):
                sums += self._descend(batch, rows, args.entropy * left)
        mean = dict(zip(STATISTICS, (sums / (args.epochs * batches)).tolist(), strict=True))
        if not np.isfinite(sums).all():
            raise FloatingPointError(f"training diverged ({mean}); try a lower learning_rate")
        variance = float((gained + value[used]).var())
        explained = 1.0 - float(gained.var()) / variance if variance > 0.0 else 0.0
        return mean | {"explained_variance": explained, "learned_from": float(len(used))}

    def _descend(self, batch: Batch, rows: torch.Tensor, bonus: float) -> np.ndarray:
        """A gradient step on some rows of ``batch``; returns the mean ``STATISTICS``."""
        parameters = [*self.policy.parameters(), *self.critic.parameters()]

        def gradients(part: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], np.ndarray]:
            loss, statistics = self._loss(batch, part, bonus)
            weight = len(part) / len(rows)
            return torch.autograd.grad(loss * weight, parameters), statistics * weight

        parts = self.workers.map(gradients, rows)
        for parameter, *grads in zip(parameters, *(grads for grads, _ in parts), strict=True):
            parameter.grad = torch.stack(grads).sum(0)
        for network in (self.policy, self.critic):
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.args.max_grad_norm)
        self.optimizer.step()
        return sum(statistics for _, statistics in parts)

    def _loss(
        self, batch: Batch, rows: torch.Tensor, bonus: float
    ) -> tuple[torch.Tensor, np.ndarray]:
        observation, clip = batch.observation[rows], self.args.clip
        # Only legal actions take part; lists of them are far shorter than rows of logits.
        logits = self.policy(observation).gather(1, batch.legal[rows])
        log_probs = logits.masked_fill(batch.padding[rows], -1e9).log_softmax(dim=1)
        log_prob = log_probs.gather(1, batch.choice[rows]).squeeze(1)
        change = log_prob - batch.log_prob[rows]
        ratio, advantage = change.exp(), batch.advantage[rows]
        surrogate = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
        entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
        error = (self.critic(observation).squeeze(1) - batch.target[rows]).square().mean()
        kl = (ratio.detach() - 1 - change.detach()).mean()
        statistics = np.array([x.item() for x in (surrogate, error, entropy, kl)])
        return error - surrogate - bonus * entropy, statistics

    def model(self) -> dict[str, np.ndarray]:
        return save_weights(self.policy, "policy")

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        tensors = save_weights(self.critic, "critic") | save_optimizer(self.optimizer)
        for i, weights in enumerate(self.pool):
            tensors |= flat(f"pool.{i}", weights)
        tensors |= flat("env", self.env.get_state()) | flat("open", self.builder.get_state())
        tensors["streams"] = self.streams
        return tensors, {"rng": self.rng.bit_generator.state, "pool": len(self.pool)}

    def set_state(
        self, tensors: Mapping[str, np.ndarray], progress: Mapping[str, Any], path: Path
    ) -> None:
        load_weights(self.policy, tensors, "policy", path)
        load_weights(self.critic, tensors, "critic", path)
        load_optimizer(self.optimizer, tensors)
        self.pool = [to_torch(below(tensors, f"pool.{i}")) for i in range(progress["pool"])]
        self.env.set_state(below(tensors, "env"))
        self.builder.set_state(below(tensors, "open"))
        self.streams[:] = tensors["streams"]
        self.rng.bit_generator.state = progress["rng"]

    def close(self) -> None:
        self.workers.close()
