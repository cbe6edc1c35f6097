#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""nicam.py SOURCE BUILD: of samples/nicam_like the mass is conserved to rounding; a run has the same bits with 1 and 5 processes, and
when it is cut in two by restart files; the ocean gets the members' mean, interpolated as NumPy does; the model's own error exit ends
every job."""
import filecmp
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

GLEVEL, RLEVEL, STEP, DAY = 2, 1, 1200, 86400  # so coarse that a pole is among the cells that are near the northernmost sea


class Sample:
    def __init__(self, source, build, out):
        self.source, self.build, self.out = pathlib.Path(source), build, pathlib.Path(out)
        self.folder = self.source / "samples/nicam_like"

    def alone(self, name, mpi, procs, days, member=0, restart="", server=False):
        """The model without a coupler. Returns what is wrong."""
        folder = self.out / name
        folder.mkdir(parents=True)
        regions = subprocess.run([self.folder / "mkmnginfo.py", str(RLEVEL), str(procs)], capture_output=True, text=True, check=True).stdout
        (folder / "mnginfo.txt").write_text(regions)
        (folder / "nicam.cnf").write_text(
            f"&nicam_param glevel={GLEVEL}, rlevel={RLEVEL}, mnginfo='{folder}/mnginfo.txt', dt={STEP}, nstep={days * DAY // STEP}, "
            f"member={member}, restart_input='{restart and self.out / restart}', restart_output='{folder}', logfile='{folder}/nicam.log' /\n")
        program = [f"{self.build}/samples/nicam_like/nicam.{mpi}", folder / "nicam.cnf", "1" if server else "0"]
        return jobs.problems_of(jobs.wait_all([jobs.Job(mpi, [(procs + server, program)])]))

    def coupled(self, name, procs, *more):
        return subprocess.run(
            [self.folder / "run", "--build", self.build, "--out", self.out / name, "--glevel", str(GLEVEL), "--rlevel", str(RLEVEL),
             "--procs", str(procs), "--days", "1", "--dt", str(STEP), "--mpi-a", jobs.MPIS[0], "--mpi-b", jobs.MPIS[-1], *more],
            capture_output=True, text=True, timeout=200, env={**os.environ, **jobs.ENVIRONMENT})

    def unlike(self, one, other):
        """The states of two runs: which files differ."""
        names = sorted(file.name for file in (self.out / one).glob("restart.*"))
        if len(names) != 10 * 4**RLEVEL + 2:
            return [f"{len(names)} files in {one}"]
        return [f"{name} differs" for name in names if not filecmp.cmp(self.out / one / name, self.out / other / name, shallow=False)]


def check_volume(states, log):
    """Of states along one run, and as the model itself says."""
    said = [float(value) for value in re.findall(r"volume\s+(\S+) m3", log)]
    volumes = [state.volume() for state in states]
    moved = np.abs(states[0].prg[:, 0, 0] - states[-1].prg[:, 0, 0]).max()
    print("volumes said:", said, "on the unit sphere:", volumes, f"the depth moved by {moved:.1f} m")
    problems = [] if np.ptp(volumes) < 1e-14 * volumes[0] and len(said) > 4 and np.ptp(said) < 1e-14 * said[0] else ["the volume changes"]
    return problems + ([] if moved > 10 else ["nothing moves"])


def interpolated(state, values, grid):
    """The four nearest cells, weighted by 1 / distance^2. Returns the values, where a fourth and a fifth cell are not equally near,
    and how many of these use a pole."""
    lon, lat = np.radians(grid.lon), np.radians(grid.lat)
    at = np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    chord = np.sqrt(((at[:, None] - state.x)**2).sum(axis=2))
    order = np.argsort(chord, axis=1)[:, :5]
    reach, near = np.take_along_axis(chord, order, 1), order[:, :4]
    weight = 1 / (2 * np.arcsin(reach[:, :4] / 2))**2
    is_clear = reach[:, 4] - reach[:, 3] > 1e-9
    uses_pole = (near >= len(state.x) - 2).any(axis=1) & is_clear
    return (values[:, near] * weight).sum(axis=2) / weight.sum(axis=1), is_clear, uses_pole.sum()


def check_ocean(states, grid, kept):
    mean = (states[0].air() + states[1].air()) / 2
    wanted, is_clear, at_poles = interpolated(states[0], mean, grid)
    off = np.abs(kept[0, :2] - wanted)[:, is_clear].max()
    between = np.abs(states[0].air() - states[1].air()).max()
    print(f"what the ocean got is {off:.1e} from the interpolated mean; members differ by {between:.1f}; {at_poles} cells use a pole")
    problems = [] if off < 1e-5 else ["the ocean did not get the members' mean"]
    if at_poles == 0 or between < 1 or is_clear.mean() < 0.9:
        problems.append("this shows nothing: no cell uses a pole, or the members are alike, or most cells are left out")
    return problems + ([] if np.isfinite(kept).all() else ["not all values are finite"])


def check_apart(sample, tally):
    """The model alone."""
    tally.check("a run, 5 processes and a log server", sample.alone("whole", jobs.MPIS[-1], 5, 2, server=True))
    tally.check("its first half, 1 process", sample.alone("start/member0", jobs.MPIS[0], 1, 1))
    tally.check("its second half, 2 processes", sample.alone("half", jobs.MPIS[0], 2, 1, restart="start/member0"))
    tally.check("the other member", sample.alone("start/member1", jobs.MPIS[0], 2, 1, member=1))


def check_coupled(sample, tally):
    for name, procs, more in (("five", 5, ("--no-plot",)), ("single", 1, ())):
        done = sample.coupled(name, procs, "--restart", sample.out / "start", *more)
        tally.check(f"coupled, {procs} processes", [f"code {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"] if done.returncode else [])
    done = sample.coupled("stopped", 2, "--no-plot", "--glevel", "4", "--dt", "10800")
    tally.check("the model's error exit ends every job",
                [] if done.returncode and "the wind is above 150" in done.stderr and "run: took" not in done.stdout
                else [f"code {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"])


def main(source, build):
    sys.path[:0] = [f"{source}/samples/nicam_like", f"{source}/samples/ml_ocean"]
    from sea import Grid
    from state import State
    tally, grid = jobs.Tally(), Grid(f"{source}/samples/atmos_ocean/data/coads_2deg.nc")
    with tempfile.TemporaryDirectory() as out:
        sample = Sample(source, build, out)
        check_apart(sample, tally)
        check_coupled(sample, tally)
        if tally.failed:
            return tally.end()
        out = sample.out
        states = {name: State(out / name) for name in ("whole", "start/member0", "start/member1", "half", "five/member0")}
        tally.check("the mass", check_volume([states["start/member0"], states["whole"]], (out / "whole/nicam.log").read_text()))
        tally.check("the mass of a coupled run", check_volume([states["start/member0"], states["five/member0"]],
                                                             (out / "five/member1/nicam.log").read_text()))
        tally.check("the same bits over a restart", sample.unlike("whole", "half"))
        for member in ("member0", "member1"):
            tally.check(f"the same bits with 1 and 5 processes, coupled, {member}", sample.unlike(f"five/{member}", f"single/{member}"))
        kept = [np.load(out / name / "ocean.npz")["kept"] for name in ("five", "single")]
        tally.check("the same bits in the ocean", [] if np.array_equal(*kept) else ["they differ"])
        tally.check("what the ocean got", check_ocean([states["start/member0"], states["start/member1"]], grid, kept[0]))
        felt = np.abs(states["five/member0"].air()[0] - states["whole"].air()[0]).max()
        tally.check("the air feels the ocean", [] if felt > 0.1 else [f"its temperature differs by {felt} from that of a run alone"])
        tally.check("the picture", [] if (out / "single/nicam_like.png").read_bytes()[:4] == b"\x89PNG" else ["none"])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
