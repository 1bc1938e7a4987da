"""Do the rule functions compile for GPUs as they stand?

``python -m benchmarks.cuda_compile`` needs ``pip install numba-cuda nvidia-cuda-nvrtc nvidia-nvvm``
but no GPU: every rule function is compiled to PTX for compute capability 9.0.
"""

from __future__ import annotations

import argparse
import time

from numba import cuda

import mages_env
from mages_env.engine import signatures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", nargs="+", default=list(mages_env.games()))
    for name in parser.parse_args().game:
        game = mages_env.get_game(name)
        roles = {role: getattr(game, role) for role in ("reset", "legal", "step", "determinize")}
        roles["evaluate"] = game.evaluate
        roles["observe"] = game.encoder().function
        roles["observe_full"] = game.full.function
        for role, function in roles.items():
            if function is not None:
                began = time.perf_counter()
                signature = getattr(signatures(game.dtype), role)
                ptx, _ = cuda.compile_ptx(function.py_func, signature, device=True, cc=(9, 0))
                seconds = time.perf_counter() - began
                print(f"{game.name} {role}: {len(ptx):,} characters of PTX in {seconds:.1f} s")


if __name__ == "__main__":
    main()
