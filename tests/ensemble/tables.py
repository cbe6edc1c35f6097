#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs ensemble_probe in each set-up of measured.txt, in one job, with a job for each component, and with a job for each
member, and compares what each process wrote line by line. Two lines differ by intent: a put leaves the model's array as it is,
and h3ou_inc_time moves the time of every member."""
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
import jobs

HEAD = re.compile(r"#### style (\d)  A: nens=(\d) procs=(\d)   B: nens=(\d) procs=(\d)  flag (\w+) lags (-?\d) (-?\d) : rc 0")


def namelist(flag, lags, layers):
    text = "&h3ou_coupling log_level='SILENT' /\n"
    for put, get, field, lag in (("A", "B", "v", lags[0]), ("B", "A", "w", lags[1])):
        text += f"&h3ou_var comp_put='{put}', comp_get='{get}', grid_put='{put}_g', grid_get='{get}_g', mapping_tag=1 /\n"
        text += f"&h3ou_var var_put='{field}', var_get='{field}', intvl=7200, lag={lag}, layer={layers}, flag='{flag}' /\n"
    return text


def tables():
    """(style, {component: (nens, procs)}, flag, lags, {(name of the member, rank): lines}) of each set-up."""
    for part in (HERE / "measured.txt").read_text().split("####")[1:]:
        style, na, pa, nb, pb, flag, *lags = HEAD.match("####" + part).groups()
        files = part.split("-- out.")[1:]
        yield int(style), {"A": (int(na), int(pa)), "B": (int(nb), int(pb))}, flag, lags, dict(map(read, files))


def read(text):
    """The process that wrote it, and its lines, without what differs by intent and the rank in MPI_COMM_WORLD."""
    lines = [re.sub(r"^world rank \d+ ", "", line) for line in text.splitlines() if not re.match(r"\d\d$|put of step|time array", line)]
    name, rank = re.search(r'name "(\w+)" size \d+ rank (\d+)', lines[0]).groups()
    return (name, int(rank)), lines


def split(n, parts):
    """n processes in as many jobs, as evenly as they can be."""
    return [n // parts + (i < n % parts) for i in range(parts)]


def layouts(members):
    """Lists of jobs; a job is a list of (component, processes). In one job; a job each; a job for each member."""
    (na, pa), (nb, pb) = members["A"], members["B"]
    one, each = [[("A", pa), ("B", pb)]], [[("A", pa)], [("B", pb)]]
    apart = [[("A", n)] for n in split(pa, max(na, 1))] + [[("B", n)] for n in split(pb, max(nb, 1))]
    return {"one job": one, "two jobs": each, "a job for each member": apart[::-1]}


def run(probe, style, members, launch, mpis, folder):
    """Starts the jobs, the i-th under mpis[i], and returns what went wrong, and what each process wrote."""
    port, running = jobs.free_port(), []
    for i, job in enumerate(launch):
        place = folder / f"job{i}"
        place.mkdir()
        (place / "coupling.conf").write_text((folder / "coupling.conf").read_text())
        parts = [(n, [f"{probe}.{mpis[i]}", me, "AB".replace(me, ""), str(members[me][0]), str(style)]) for me, n in job]
        env = jobs.waitio(port, i, len(launch)) if len(launch) > 1 else {}
        running.append(jobs.Job(mpis[i], parts, env, before=["env", "-C", str(place)]))
    problems = jobs.problems_of(jobs.wait_all(running))
    return problems, dict(read(f.read_text()) for f in folder.glob("job*/out.*"))


def differences(expected, got):
    found = [f"processes {sorted(got)} in place of {sorted(expected)}"] if set(got) != set(expected) else []
    for who in sorted(set(got) & set(expected)):
        found += [f"{who}: {b!r} in place of {a!r}" for a, b in zip(expected[who], got[who]) if a != b]
        if len(expected[who]) != len(got[who]):
            found.append(f"{who}: {len(got[who])} lines in place of {len(expected[who])}")
    return found


def main(probe):
    tally, count = jobs.Tally(), 0
    for style, members, flag, lags, expected in tables():
        count += 1
        for name, launch in layouts(members).items():
            for first, mpi in enumerate(jobs.MPIS):
                if len(launch) > 2 and first != count % len(jobs.MPIS):
                    continue  # many jobs mix the MPIs: the one that begins takes turns
                mpis = [jobs.MPIS[(first + i) % len(jobs.MPIS)] for i in range(len(launch))]
                with tempfile.TemporaryDirectory() as folder:
                    pathlib.Path(folder, "coupling.conf").write_text(namelist(flag, lags, 2 if style == 2 else 1))
                    problems, got = run(probe, style, members, launch, mpis, pathlib.Path(folder))
                sizes = " ".join(f"{me}: {n} in {p}" for me, (n, p) in members.items())
                tally.check(f"style {style} {sizes} {flag} {' '.join(lags)}, {name}, {' '.join(mpis)}",
                            problems or differences(expected, got))
    if count != 9:
        tally.check("nine tables", [f"{count} were found"])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
