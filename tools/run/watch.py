# SPDX-License-Identifier: BSD-3-Clause
"""Running jobs: started, their output gathered, and all ended when one fails."""
import ctypes
import os
import re
import selectors
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)
ERROR = re.compile(r"h3ou: (?!component \S+ rank \d+ ends: )")  # of the process that found it, not of those that were told
TOLD = re.compile(r"h3ou: component \S+ rank \d+ ends: ")
LOST = re.compile(r"without goodbye")  # the error of a process that saw another one go
# What Open MPI's mpirun, MPICH's and srun say of a process that a signal has ended.
KILLED = re.compile(r"(?:exited on signal \d+ \(.*\)|EXIT STRING: .*\(signal \d+\)|(?<=: )task \d+: Killed)")


def follow_parent():
    """In the new process: a launcher ends with this command, also when that is killed."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Running:
    """A job that was started."""

    def __init__(self, start, environment, log):
        self.start, self.name = start, start.job.name
        self.log = open(log, "wb")  # closed by close()
        self.path, self.pending, self.last, self.error, self.killed = log, {}, "", None, None
        self.is_signalled = False  # by this command
        self.process = subprocess.Popen(start.words, cwd=start.folder, env={**environment, **start.environment},
                                        stdin=subprocess.PIPE if start.words[0] == "ssh" else subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                        preexec_fn=follow_parent)
        self.begun, self.seconds, self.code = time.monotonic(), None, None

    def lines_of(self, stream, data):
        """Whole lines of what arrived; the rest is kept until more comes, or the end (b"")."""
        text = self.pending.get(stream, b"") + data
        *lines, rest = text.split(b"\n")
        if not data and rest:
            lines, rest = [*lines, rest], b""
        self.pending[stream] = rest
        return lines

    def keep(self, line):
        """Writes a line to the job's file, and remembers what could be the cause of its end."""
        self.log.write(line + b"\n")
        self.log.flush()
        text = line.decode(errors="replace").rstrip()
        if text:
            self.last = text
        if KILLED.search(text) and not self.killed and not self.is_signalled:
            self.killed = KILLED.search(text)[0].removeprefix("EXIT STRING: ")
        if ERROR.search(text) and self.is_worse(text) or TOLD.search(text) and not self.error:
            self.error = text
        return text

    def is_worse(self, text):
        """Whether an error says more of the cause than what is kept: the first one that tells of no other process does."""
        found = self.error and ERROR.search(self.error)
        return not found or bool(LOST.search(self.error)) and not LOST.search(text)

    def has_own_error(self):
        """Whether the job wrote an error that it found itself, other than the end of another job."""
        return bool(self.error and ERROR.search(self.error) and not LOST.search(self.error))

    def why(self):
        """Why the job ended, by what it wrote."""
        if self.killed and not self.has_own_error():
            return f"a process {self.killed}" if self.killed.startswith("exited") else f"a process was ended: {self.killed}"
        return self.error or self.last or "it wrote nothing"

    def signal(self, number):
        """To all processes of the launcher's group, which hands it on."""
        self.is_signalled = True
        if self.process.stdin:
            self.process.stdin.close()
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def poll(self):
        """Whether the job has ended."""
        if self.code is None and self.process.poll() is not None:
            code = self.process.returncode
            self.code, self.seconds = 128 - code if code < 0 else code, time.monotonic() - self.begun
        return self.code is not None

    def close(self):
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        self.log.close()


class Watch:
    """All jobs of a run. Ends them when one fails, or the user asks for it."""

    def __init__(self, starts, environment, folder, grace, show, stop):
        """stop: lets the components end early by themselves."""
        self.grace, self.show, self.asked, self.failed = grace, show, 0, None
        self.stop, self.is_ended = stop, False
        self.selector = selectors.DefaultSelector()
        self.jobs, self.open, self.deadline, self.is_killed = [], 0, None, False
        for start in starts:
            job = Running(start, environment, folder / f"{start.job.name}.log")
            self.jobs.append(job)
            for stream in (job.process.stdout, job.process.stderr):
                os.set_blocking(stream.fileno(), False)
                self.selector.register(stream, selectors.EVENT_READ, job)
                self.open += 1

    def ask(self, number, frame):
        """The user wants the run to end: first in order, then at once."""
        self.asked += 1

    def read(self, seconds):
        """Takes what the jobs have written, waiting for it so long."""
        for key, _ in self.selector.select(seconds):
            stream, job = key.fileobj, key.data
            try:
                data = os.read(stream.fileno(), 1 << 16)
            except BlockingIOError:
                continue
            for line in job.lines_of(stream, data):
                self.show.line(job.name, job.keep(line))
            if not data:
                self.selector.unregister(stream)
                self.open -= 1

    def end_all(self, number):
        for job in self.jobs:
            if not job.poll():
                job.signal(number)

    def follow_wishes(self, seen):
        """What the user asked for since `seen` times."""
        if self.asked > seen == 0 and self.stop.can():
            self.stop.ask("again: ending all jobs at once")
        elif self.asked > seen == 0:
            self.show.note("ending all jobs; again: at once")
            self.is_ended = True
            self.end_all(signal.SIGTERM)
            self.deadline = time.monotonic() + self.grace
        elif self.asked > seen:
            self.show.note("ending all jobs at once")
            self.is_ended = True
            self.end_all(signal.SIGKILL)
        return self.asked

    def follow_failures(self):
        """When a job fails the others have the grace to say so and end; then they are ended."""
        for job in self.jobs:
            if job.poll() and job.code and not self.failed:
                self.failed = job
                if not self.is_ended:
                    self.show.note(f"job {job.name} ended with code {job.code} after {job.seconds:.1f} s")
                    self.deadline = self.deadline or time.monotonic() + self.grace
        if self.deadline and time.monotonic() > self.deadline:
            left = [job for job in self.jobs if not job.poll()]
            if left:
                self.show.note(f"ending {', '.join(j.name for j in left)}, {self.grace:g} s after")
            self.end_all(signal.SIGKILL if self.is_killed else signal.SIGTERM)
            self.is_killed, self.deadline = True, time.monotonic() + 5

    def run(self):
        """Returns when all jobs have ended. Then their output is read for as long as anybody holds it, at most 2 s."""
        seen, last = 0, None
        while True:
            self.read(0.1)
            seen = self.follow_wishes(seen)
            self.stop.look()
            self.follow_failures()
            self.show.progress()
            if all([job.poll() for job in self.jobs]):
                last = last or time.monotonic()
                if not self.open or time.monotonic() > last + 2:
                    break
        self.show.clear()
        for job in self.jobs:
            for stream in (job.process.stdout, job.process.stderr):
                for line in job.lines_of(stream, b""):
                    self.show.line(job.name, job.keep(line))
            job.signal(signal.SIGKILL)  # what a launcher left behind
            job.close()

    def cause(self):
        """The job whose error is the cause, by what the jobs wrote: an error of its own goes before one that was told to it, and, like
        the end of a process by a signal, before that of a job which saw another one go."""
        wrong = [job for job in self.jobs if job.code]
        own = [job for job in wrong if job.has_own_error()] or [job for job in wrong if job.killed]
        return (own or ([self.failed] if self.failed in wrong else wrong) or [None])[0]

    def code(self):
        """130 when the user ended the run, else that of the job that failed first, or 0."""
        if self.is_ended:
            return 130
        return self.failed.code if self.failed else 0


class Show:
    """What the user sees: the jobs' lines with the name of the job, and remarks of this command on standard error."""

    COLOURS = (36, 33, 35, 32, 34, 31)

    def __init__(self, names, quiet=False, progress=None, command="run"):
        self.command = command
        self.width, self.quiet = max(map(len, names)), quiet
        self.is_colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self.colour = {n: self.COLOURS[i % len(self.COLOURS)] for i, n in enumerate(names)}
        self.lines = progress

    def line(self, name, text):
        if self.quiet:
            return
        self.clear()
        head = f"{name:{self.width}} |"
        if self.is_colour:
            head = f"\033[{self.colour[name]}m{head}\033[0m"
        print(head, text, flush=True)

    def note(self, text):
        self.clear()
        print(f"h3ou {self.command}: {text}", file=sys.stderr, flush=True)

    def clear(self):
        if self.lines:
            self.lines.clear()

    def progress(self):
        if self.lines:
            self.lines.say(self.note)
