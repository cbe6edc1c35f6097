# SPDX-License-Identifier: BSD-3-Clause
"""MPI jobs for test drivers: started, watched, and always ended. Standard library only."""
import atexit
import concurrent.futures
import fcntl
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import reports

# Of the MPIs that are installed those that ctest names (tests/CMakeLists.txt); by hand and with "all" each.
WANTED = re.findall(r"\w+", os.environ.get("H3OU_TEST_MPIS", "all"))
MPIS = [m for m in ("mpich", "openmpi") if any(os.access(f"{d}/mpirun.{m}", os.X_OK) for d in os.environ["PATH"].split(":"))
        and (m in WANTED or "all" in WANTED)]


def session_folder():
    """A folder for the sessions of this driver's Open MPI. In one that all share, the mpirun that ends removes the folder of the host which
    another one is about to make, and that fails to ("File exists"). Output in that of the host keeps it from being removed."""
    if os.environ.get("OMPI_MCA_orte_tmpdir_base"):
        return os.environ["OMPI_MCA_orte_tmpdir_base"]
    folder = tempfile.mkdtemp(prefix="h3ou-mpi-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in {socket.gethostname(), socket.gethostname().split(".")[0]}:
        kept = pathlib.Path(folder, f"ompi.{name}.{os.geteuid()}")
        kept.mkdir(mode=0o700)
        (kept / "output-kept").write_text("Open MPI removes no output.\n")
    return folder


# A job that has not ended after so many seconds hangs: none needs nearly as long, not even on a slow machine under a sanitizer. Where a test checks
# that a job does not wait, the patiences are an hour, so that a job that does wait is ended here and noticed.
LONGEST = 120
PATIENT = {"H3OU_PATIENCE": 3600, "H3OU_END_PATIENCE": 3600}

ENVIRONMENT = {
    "OMPI_MCA_orte_tmpdir_base": session_folder(),
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "ASAN_OPTIONS": reports.OPTIONS,
    "LSAN_OPTIONS": f"suppressions={pathlib.Path(__file__).with_name('lsan.supp')}:print_suppressions=0:intercept_tls_get_addr=0",  # tests/CMakeLists.txt says why
}

GIVEN = set()
TAKEN = pathlib.Path(tempfile.gettempdir(), "h3ou-test-ports")


def take_port(port):
    """Whether no other test has the port: each locks the byte of that number in a file (tests/waitio/run.c, too) until it ends. Where the
    file is another user's, nobody knows."""
    global TAKEN
    try:
        if isinstance(TAKEN, pathlib.Path):
            TAKEN = open(TAKEN, "ab")
        fcntl.lockf(TAKEN, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def free_port():
    """A port that nobody listens on, below the range from which the system serves whoever asks for any: mpirun does, too. Another one
    each time, and another one than those of tests that run at the same time."""
    while True:
        port = random.randrange(12000, 32000)
        if port in GIVEN:
            continue
        GIVEN.add(port)
        if not take_port(port):
            continue
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


def preload(library):
    """LD_PRELOAD with this library, behind that of the address sanitizer where the programs are built with it."""
    return ":".join(filter(None, [os.environ.get("H3OU_TEST_PRELOAD"), str(library)]))


def has_name_spaces():
    """Whether this process may make network name spaces, which count as hosts (tests/lib/emulated_host.c)."""
    return bool(shutil.which("unshare")) and not subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode


def children(pid):
    """All processes below pid."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task") if os.path.exists(f"/proc/{pid}/task") else []:
        try:
            with open(f"/proc/{pid}/task/{task}/children") as f:
                for child in map(int, f.read().split()):
                    found += [child, *children(child)]
        except OSError:
            pass
    return found


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Job:
    """One mpirun. command: for one program [program, arg...]; several programs: MPMD, a list of (procs, command). before: a
    command that starts the mpirun. mpi None: one process without MPI."""

    def __init__(self, mpi, parts, env=None, before=()):
        line = [*before, f"mpirun.{mpi}"] if mpi else [*before, *map(str, parts[0][1])]
        for i, (procs, command) in enumerate(parts if mpi else []):
            line += ([":"] if i else []) + ["-n", str(procs), *map(str, command)]
        self.env = {**os.environ, **ENVIRONMENT, **{k: str(v) for k, v in (env or {}).items()}}
        for name in [k for k in self.env if k.startswith("WAITIO_")]:
            if name not in (env or {}):
                del self.env[name]
        self.out, self.err = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err, env=self.env,
                                        start_new_session=True)
        self.seen = set()

    def poll(self):
        if self.process.poll() is None:
            self.seen.update(children(self.process.pid))
        return self.process.returncode

    def read(self):
        texts = []
        for f in (self.out, self.err):
            f.seek(0)
            texts.append(f.read())
        return texts

    def so_far(self):
        """What was written to standard output until now. The job shares the file's position: it is left where it is."""
        return os.pread(self.out.fileno(), 1 << 24, 0).decode(errors="replace")

    def left(self, patience=25.0):
        """Processes of this job that still run after its mpirun ended. What was killed needs a core to go: dozens of others may
        spin, and the memory of the address sanitizer is large. What was not killed stays for ever."""
        end = time.monotonic() + patience
        while time.monotonic() < end and any(map(is_running, self.seen)):
            time.sleep(0.05)
        return [p for p in self.seen if is_running(p)]

    def kill(self):
        for pid in [self.process.pid, *self.seen]:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        self.process.wait()


class Result:
    def __init__(self, job, seconds, timed_out):
        self.code, self.seconds, self.timed_out = job.process.returncode, seconds, timed_out
        self.out, self.err = job.read()
        reports.look_at(self.err)
        self.left = job.left()


def wait_all(jobs, timeout=LONGEST, meanwhile=None):
    """Waits for all jobs, at most `timeout` seconds; what is left then is killed. meanwhile(): called all the time."""
    begin = time.monotonic()
    ended = {}
    while len(ended) < len(jobs) and time.monotonic() - begin < timeout:
        for job in jobs:
            if job not in ended and job.poll() is not None:
                ended[job] = time.monotonic() - begin
        if meanwhile:
            meanwhile()
        # Each look reads much of /proc: less often at jobs that take long, so that those which measure times have the cores.
        time.sleep(0.02 if meanwhile else min(0.02 + 0.05 * (time.monotonic() - begin), 0.2))
    late = [job for job in jobs if job not in ended]
    for job in late:
        job.kill()
    results = [Result(job, ended.get(job, timeout), job in late) for job in jobs]
    for job in jobs:
        job.kill()
    return results


def waitio(port, pb, npb, **more):
    """The environment of a job of a run of npb jobs; patiences that end before LONGEST."""
    return {"WAITIO_MASTER_HOST": "127.0.0.1", "WAITIO_MASTER_PORT": port, "WAITIO_PBID": pb, "WAITIO_NPB": npb,
            "H3OU_JOIN_PATIENCE": 40, "H3OU_PATIENCE": 60, **more}


def run(launch, a, b, env=None, timeout=LONGEST):
    """Two components in one of the ways: ("mpmd", mpi), or ("jobs", mpi of a, mpi of b[, "b-first"]). a, b: (procs, program
    without its MPI's suffix, [arguments])."""
    def part(spec, mpi):
        procs, program, arguments = spec
        return procs, [f"{program}.{mpi}", *arguments]

    if launch[0] == "mpmd":
        return wait_all([Job(launch[1], [part(a, launch[1]), part(b, launch[1])], env)], timeout)
    port = free_port()
    starts = [lambda: Job(launch[1], [part(a, launch[1])], {**waitio(port, 0, 2), **(env or {})}),
              lambda: Job(launch[2], [part(b, launch[2])], {**waitio(port, 1, 2), **(env or {})})]
    if "b-first" in launch:
        second = starts[1]()
        time.sleep(0.2)
        return wait_all([starts[0](), second], timeout)
    first = starts[0]()
    return wait_all([first, starts[1]()], timeout)


def ways():
    """Every way to launch two components with the MPIs of this machine."""
    found = [("mpmd", m) for m in MPIS] + [("jobs", m, n) for m in MPIS for n in MPIS if m != n or len(MPIS) == 1]
    return found


class EarlyStop:
    """Runs that are asked to stop by their folder, whose programs A and B write RESTARTS/A, and the time in RESTARTS/A.time."""

    def __init__(self, folder):
        self.folder, self.asked = pathlib.Path(folder), pathlib.Path(folder, "stop")
        self.files = [self.folder / (name + what) for name in "AB" for what in ("", ".time")]
        self.folder.mkdir()
        self.env = {"H3OU_RUN_DIRECTORY": self.folder, "RESTARTS": self.folder}

    def ask(self):
        self.asked.touch()
        for file in self.files:
            file.unlink(missing_ok=True)

    def problems(self, results):
        missing = [f"{file.name} is missing" for file in self.files if not file.exists()]
        problems = problems_of(results) + missing + (["the wish is still there"] if self.asked.exists() else [])
        times = [] if missing else [file.read_text().split() for file in self.files if file.suffix]
        return problems if missing or times[0] == times[1] else [*problems, f"stopped at {times}"]


def side_by_side(run, cases):
    """Yields the result of run(*case) of each case, some of which run at a time: most of their time they wait."""
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        yield from pool.map(lambda case: run(*case), cases)


class Tally:
    """Counts, and says the last word."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, name, problems):
        if problems:
            self.failed += 1
            print(f"FAIL {name}", flush=True)
            for p in problems:
                print("     " + str(p).replace("\n", "\n     "), flush=True)
        else:
            self.passed += 1
            print(f"ok   {name}", flush=True)

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def problems_of(results, code=0):
    """What is wrong with jobs that should have ended well."""
    found = []
    for i, r in enumerate(results):
        if r.timed_out or r.code != code or r.left:
            found.append(f"job {i}: code {r.code}{', timed out' if r.timed_out else ''}, left {r.left}\n{r.out[-1500:]}{r.err[-1500:]}")
    return found
