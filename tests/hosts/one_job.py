#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One job of two components on two hosts, whose processes exchange fields by the job's MPI and by WaitIO, alone and beside another job:
one_job.py PROGRAM BYSTANDER

PROGRAM is tests/coupler/exchange.c, which compares every value to the bit; BYSTANDER a component without a field. Exit code 77: this machine does not let us make hosts."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "coupler"))
import exchange
import hosts
import jobs

# MPICH's UCX would open devices of the hosts.
INSIDE = {"UCX_TLS": "self,sm", "H3OU_LOG": "loud", "H3OU_PATIENCE": 60}
TUNING = "&h3ou_tuning between_latency=20, between_bandwidth=1000, job_route='{}' /\n"
BESIDE = '&h3ou_var comp_put="C", comp_get="C", grid_put="g", grid_get="g", mapping_tag=1 /\n'
MEASURED = r"route=(mpi|waitio) because=measured mpi_us=([\d.]+) waitio_us=([\d.]+)"


def start(two, program, mpi, config, **env):
    settings = {**INSIDE, "TEST_SPACES": ",".join(two.names), "WAITIO_DEVICE": hosts.DEVICE, **env}
    return [jobs.Job(mpi, [(n, [f"{program}.{mpi}", me, config, 7, "spread-put", 3]) for n, me in ((3, "A"), (2, "B"))], settings)]


def ways_of(run):
    """How many partners of all processes messages went to by each way: in memory, and by the MPI or WaitIO."""
    told = [re.findall(rb"ways memory=(\d+) copy=(\d+) mpi=(\d+) waitio=(\d+)", file.read_bytes()) for file in (run / "timeline").iterdir()]
    memory, copy, mpi, waitio = (sum(int(line[k]) for lines in told for line in lines) for k in range(4))
    return memory + copy, mpi, waitio


def check_ways(run, route):
    """What is wrong: processes of one host share memory whatever the route between hosts is."""
    memory, mpi, waitio = ways_of(run)
    taken, other = (waitio, mpi) if route == "waitio" else (mpi, waitio)
    return [] if memory and taken and not other else [f"not by memory inside hosts and {route} between: {memory}, MPI {mpi}, WaitIO {waitio}"]


def check_route(line):
    """What is wrong where a job has measured: the route that takes less time is taken."""
    found = re.search(MEASURED, line)
    by_mpi, by_waitio = (float(found[2]), float(found[3])) if found else (0.0, 0.0)
    faster = "waitio" if by_waitio < by_mpi else "mpi"
    return [] if found and (found[1] == faster or by_mpi == by_waitio) else [f"not the faster route: {line}"]


def beside(two, program, bystander, mpi, config, **env):
    """The job, and another one, by the other MPI, whose only process is on the first host."""
    joins = {"WAITIO_MASTER_HOST": hosts.FOUR[0], "WAITIO_MASTER_PORT": jobs.free_port(), "WAITIO_NPB": 2}
    other = jobs.MPIS[-1] if mpi == jobs.MPIS[0] else jobs.MPIS[0]
    second = jobs.Job(other, [(1, [f"{bystander}.{other}", "C", config])], {**INSIDE, "WAITIO_DEVICE": hosts.DEVICE, **joins, "WAITIO_PBID": 1},
                      before=("ip", "netns", "exec", two.names[0]))
    return jobs.wait_all([*start(two, program, mpi, config, **joins, WAITIO_PBID=0, **env), second])


def check_beside(tally, two, programs, folder):
    """A tuning file names the route of a job that has joined others."""
    config = pathlib.Path(folder, "beside")
    for mpi in jobs.MPIS:
        for route in ("waitio", "mpi", "measured"):
            config.write_text(exchange.CONFIG.format(3, "auto") + BESIDE + TUNING.format(route))
            run = pathlib.Path(folder, f"{mpi}-beside-{route}")
            (run / "timeline").mkdir(parents=True)
            results = beside(two, *programs, mpi, config, H3OU_RUN_DIRECTORY=run)
            lines = [line for line in results[0].err.splitlines() if "job_route" in line and "components=A,B" in line]
            said = lines[0] if len(lines) == 1 else ""
            wrong = check_route(said) if route == "measured" else [] if f"route={route} because=wanted" in said else [f"not {route}: {lines}"]
            wrong += check_ways(run, "waitio" if "route=waitio" in said else "mpi")
            tally.check(f"{mpi}, {route} by a tuning file, beside another job", jobs.problems_of(results) + wrong)


def body(program, bystander):
    tally = jobs.Tally()
    with hosts.Hosts() as two, tempfile.TemporaryDirectory() as folder:
        plain, tuned = pathlib.Path(folder, "plain"), pathlib.Path(folder, "tuned")
        plain.write_text(exchange.CONFIG.format(3, "auto"))
        tuned.write_text(exchange.CONFIG.format(3, "auto") + TUNING.format("measured"))
        for mpi in jobs.MPIS:
            for route, config, env, said in [("mpi", plain, {"H3OU_JOB_ROUTE": "mpi"}, "route=mpi because=wanted"),
                                             ("waitio", plain, {"H3OU_JOB_ROUTE": "waitio"}, "route=waitio because=wanted"),
                                             ("measured", plain, {"H3OU_JOB_ROUTE": "measured"}, MEASURED),
                                             ("in the namelist", tuned, {}, "route=mpi because=no_waitio")]:
                run = pathlib.Path(folder, f"{mpi} {route}".replace(" ", "-"))
                (run / "timeline").mkdir(parents=True)
                results = jobs.wait_all(start(two, program, mpi, config, H3OU_RUN_DIRECTORY=run, **env))
                lines = [line for line in results[0].err.splitlines() if "job_route" in line]
                wrong = [] if len(lines) == 1 and re.search(f"components=A,B {said}", lines[0]) else [f"not one line '{said}': {lines}"]
                wrong += check_route(lines[0]) if route == "measured" and lines else []
                if route != "measured" and ("route=tcp" in results[0].err) != (route == "waitio"):
                    wrong.append("messages by WaitIO where there should be none, or the other way round")
                taken = "waitio" if lines and "route=waitio" in lines[0] else "mpi"
                wrong += check_ways(run, taken)
                tally.check(f"{mpi}, {route}", jobs.problems_of(results) + wrong)
            result = jobs.wait_all(start(two, program, mpi, plain, H3OU_JOB_ROUTE="waitio", TEST_KILLED=3))[0]
            wrong = [] if "planned from=A/A_g" in result.err else ["it was killed before the exchanges"]
            wrong += ["it ended with 0, or not at all"] if result.code == 0 or result.timed_out or result.left else []
            tally.check(f"{mpi}, a process is killed", wrong + ([result.err[-1500:]] if wrong else []))
        check_beside(tally, two, (program, bystander), folder)
    return tally.end()


if __name__ == "__main__":
    sys.exit(hosts.main(lambda: body(*sys.argv[1:])))
