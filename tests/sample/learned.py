#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""learned.py SOURCE BUILD: a network learns from the coupled pair of samples/ml_ocean and takes the ocean's place. Its heat flux is
nearer to the truth than a bound that predictors without a network do not reach. And the network's own arithmetic."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

BOUND = 30.0  # W/m2, RMS over sea and days


def example():
    rng = np.random.default_rng(1)
    return rng.normal(size=(50, 3)), rng.normal(size=(50, 2))


def check_derivatives(network):
    """The first step of Adam goes by the rate against the sign of each derivative: those of differences say where."""
    x, y = example()
    start = network.first_weights(3, 2, seed=2)
    learned, problems = network.NumpyNetwork(start), []
    learned.train(x, y)
    for number, weights in enumerate(start):
        for place in list(np.ndindex(weights.shape))[:40]:
            errors = []
            for change in (1e-5, -1e-5):
                moved = [w.copy() for w in start]
                moved[number][place] += change
                errors.append(np.mean((network.NumpyNetwork(moved).predict(x) - y)**2))
            slope = (errors[0] - errors[1]) / 2e-5
            step = learned.weights()[number][place] - weights[place]
            if abs(slope) > 1e-5 and abs(step + network.rate_at(0) * np.sign(slope)) > 1e-2 * network.rate_at(0):
                problems.append(f"layer {number}, weight {place}: derivative {slope}, step {step}")
    return problems


def check_torch(network):
    """Both learn the same, to rounding."""
    x, y = example()
    both = [kind(network.first_weights(3, 2, seed=2)) for kind in (network.NumpyNetwork, network.TorchNetwork)]
    losses = [[one.train(x, y) for _ in range(100)] for one in both]
    apart = max(np.abs(a - b).max() for a, b in zip(both[0].weights(), both[1].weights()))
    problems = [f"weights differ by {apart}"] if apart > 1e-6 else []
    return problems + ([f"nothing was learned: {losses[0]}"] if losses[0][-1] > 0.9 * losses[0][0] else [])


def check_runs(source, build, samples):
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(
            [samples / "run", "--build", build, "--out", out, "--learner", "numpy", "--days", "12", "--learn-days", "8",
             "--atmos-mpi", jobs.MPIS[0], "--ocean-mpi", jobs.MPIS[-1], "--learner-mpi", jobs.MPIS[-1]],
            capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT})
        if done.returncode:
            return [f"code {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"]
        import score
        from sea import Grid
        found = score.Score(out, Grid(source / "samples/atmos_ocean/data/coads_2deg.nc"))
        print("RMS error in W/m2: " + ", ".join(f"{name} {error:.1f}" for name, error in found.all.items()), f"(bound {BOUND})")
        problems = [] if found.truth.std(axis=0).mean() > BOUND else ["the truth hardly changes: there is nothing to predict"]
        problems += [f"{name} is within the bound" for name in ("persistence", "climatology") if not found.all[name] > BOUND]
        if not found.all["emulation"] < BOUND:
            problems.append("the emulation is not within the bound")
        picture = pathlib.Path(out, "ml_ocean.png")
        if not picture.exists() or picture.read_bytes()[:4] != b"\x89PNG":
            problems.append("no picture")
        return problems


def main(source, build):
    source, tally = pathlib.Path(source), jobs.Tally()
    samples = source / "samples/ml_ocean"
    sys.path.insert(0, str(samples))
    import network
    tally.check("derivatives of the network in NumPy", check_derivatives(network))
    if importlib.util.find_spec("torch"):
        tally.check("PyTorch learns the same", check_torch(network))
    tally.check("learning, and emulation", check_runs(source, build, samples))
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
