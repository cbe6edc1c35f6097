# SPDX-License-Identifier: BSD-3-Clause
"""RUN.toml: the jobs of a coupled run. Every error names the file, the line, and what to do."""
import difflib
import os
import pathlib
import re
import tomllib

RUN_KEYS = {"directory": str, "configuration": str, "master": str, "port": int, "secret": str, "grace": (int, float), "progress": (int, float),
            "environment": dict, "grids": dict, "report": bool,
            "stop_after": (str, int, float), "record": str}
JOB_KEYS = {"name": str, "launcher": (str, list), "processes": int, "hosts": list, "executable": str, "arguments": list,
            "directory": str, "environment": dict, "options": list, "members": int, "copies": int, "program": list, "component": str,
            "step": (int, float), "memory": (int, float)}
PROGRAM_KEYS = {"executable": str, "arguments": list, "processes": int, "component": str, "step": (int, float), "memory": (int, float)}
KINDS = {str: "a text", int: "a whole number", list: "a list", dict: "a table", (int, float): "a number",
         (str, list): "a text or a list of texts", bool: "true or false",
         (str, int, float): "a number or a text"}


class RunError(Exception):
    """One sentence for the user."""


def seconds_of(text, where):
    """The seconds of "3h30m", "90m", "5400" or "03:30:00"."""
    found = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", str(text)) if text != "" else None
    clock = re.fullmatch(r"(\d+):(\d\d)(?::(\d\d))?", str(text))
    if not found and not clock:
        raise RunError(f"{where}: '{text}' is no time: write 3h30m, 90m, 03:30:00, or seconds")
    hours, minutes, seconds = (found or clock).groups()
    return 3600 * int(hours or 0) + 60 * int(minutes or 0) + float(seconds or 0)


class Program:
    """One executable of a job, with its arguments, for some processes."""

    def __init__(self, executable, arguments, processes, component, step, memory):
        self.executable, self.arguments, self.processes, self.component, self.step = executable, arguments, processes, component, step
        self.memory = memory


class Job:
    """One job of the run: what one launcher starts."""

    def __init__(self, name, line, table, programs, number, copies):
        self.name, self.line, self.programs = name, line, programs
        self.launcher = table.get("launcher", "auto")
        self.hosts = [str(h) for h in table.get("hosts", [])]
        self.options = [str(o) for o in table.get("options", [])]
        self.directory = table.get("directory", ".")
        self.environment = {k: str(v) for k, v in table.get("environment", {}).items()}
        if "members" in table:
            self.environment["H3OU_MEMBERS"] = str(table["members"])
        self.number, self.copies = number, copies

    @property
    def processes(self):
        return sum(p.processes for p in self.programs)


class Run:
    """What RUN.toml says, checked; paths are absolute."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            self.text = self.path.read_text(encoding="utf-8")
            table = tomllib.loads(self.text)
        except OSError as e:
            raise RunError(f"{path}: {e.strerror}") from None
        except UnicodeDecodeError:
            raise RunError(f"{path}: not a text in UTF-8") from None
        except tomllib.TOMLDecodeError as e:
            line = re.search(r"line (\d+)", str(e))
            raise RunError(f"{path}:{line[1] if line else 1}: {e}") from None
        self.check_keys(table, {"run": dict, "job": list}, 0, "the file")
        run = table.get("run", {})
        self.check_keys(run, RUN_KEYS, self.line_of_table("run", 0), "[run]")
        self.folder = self.path.resolve().parent
        self.directory = self.folder / run.get("directory", self.path.stem + ".out")
        self.configuration = run.get("configuration")
        self.master, self.port = run.get("master"), run.get("port")
        self.secret, self.grace = run.get("secret"), run.get("grace", 10)
        self.progress, self.report = run.get("progress", 60), run.get("report", True)
        self.record = self.folder / run["record"] if "record" in run else None
        self.grids = run.get("grids", {})
        place = f"{self.path}:{self.line_of('stop_after', self.line_of_table('run', 0))}: stop_after"
        self.stop_after = seconds_of(run["stop_after"], place) if "stop_after" in run else None
        self.environment = {k: str(v) for k, v in run.get("environment", {}).items()}
        self.jobs = []
        for number, entry in enumerate(table.get("job", [])):
            self.jobs += self.read_job(entry, number)
        if not self.jobs:
            raise RunError(f"{path}: no [[job]]: name each executable of the run in one")
        self.check_whole(run)

    def fail(self, line, sentence):
        raise RunError(f"{self.path}:{line}: {sentence}")

    def line_of_table(self, name, number):
        """The line of the table's header, the number-th of its name."""
        heads = [i for i, text in enumerate(self.text.splitlines(), 1)
                 if re.match(rf"\s*\[+\s*{re.escape(name)}\s*\]+", text)]
        return heads[number] if number < len(heads) else 1

    def line_of(self, key, first):
        """The line of a key in the table that begins in line `first`, else that line."""
        for i, text in enumerate(self.text.splitlines()[first:], first + 1):
            if re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", text):
                return i
            if re.match(r"\s*\[", text):
                break
        return max(first, 1)

    def check_keys(self, table, known, line, where):
        for key, value in table.items():
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                self.fail(self.line_of(key, line) if line else self.line_of_table(key, 0),
                          f"unknown key '{key}' of {where}" + (f", did you mean '{near[0]}'?" if near else
                                                               f": known are {', '.join(sorted(known))}"))
            kind = known[key]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                self.fail(self.line_of(key, line), f"{key} of {where} must be {KINDS[kind]}")
            if kind is int and value < 1:
                self.fail(self.line_of(key, line), f"{key} of {where} must be 1 or more, not {value}")
            if kind is list and key not in ("program", "job") and not all(isinstance(v, (str, int, float)) for v in value):
                self.fail(self.line_of(key, line), f"{key} of {where} must be a list of texts")

    def read_job(self, entry, number):
        """The jobs of one entry: as many as its key copies says."""
        line = self.line_of_table("job", number)
        if not isinstance(entry, dict):
            self.fail(line, "a job is a table: write [[job]] above its keys")
        self.check_keys(entry, JOB_KEYS, line, "[[job]]")
        if ("executable" in entry) == ("program" in entry):
            self.fail(line, "a [[job]] has either the key executable, or [[job.program]] for each of its executables")
        entries = entry.get("program") or [{k: entry[k] for k in PROGRAM_KEYS if k in entry}]
        for program in entries:
            self.check_keys(program, PROGRAM_KEYS, line, "[[job.program]]")
            if "executable" not in program:
                self.fail(line, "a [[job.program]] needs the key executable")
        copies = entry.get("copies", 1)
        name = entry.get("name", re.sub(r"\.(mpich|openmpi|py|x|exe|\{mpi\})$", "", pathlib.Path(entries[0]["executable"]).name))
        if not re.fullmatch(r"[\w.+-]+", name):
            self.fail(self.line_of("name", line), f"name '{name}' of a job: letters, digits and . + - _ only, it is a file's name, too")
        found = []
        for copy in range(copies):
            programs = [Program(p["executable"], [str(a) for a in p.get("arguments", [])], p.get("processes", 1),
                                p.get("component"), p.get("step", 0), p.get("memory", 0)) for p in entries]
            found.append(Job(f"{name}{copy:04d}" if copies > 1 else name, line, entry, programs, copy, copies))
        return found

    def check_whole(self, run):
        names = [j.name for j in self.jobs]
        for i, job in enumerate(self.jobs):
            if job.name in names[:i]:
                self.fail(job.line, f"two jobs are called '{job.name}': give one of them the key name")
        line = self.line_of_table("run", 0)
        if self.port is not None and not 1 <= self.port <= 65535:
            self.fail(self.line_of("port", line), f"port {self.port} is not between 1 and 65535")
        if self.grace < 0:
            self.fail(self.line_of("grace", line), "grace is in seconds, 0 or more")
        if self.progress < 0:
            self.fail(self.line_of("progress", line), "progress is in seconds, 0 or more")
        if self.master and any(c.isspace() for c in self.master):
            self.fail(self.line_of("master", line), f"master '{self.master}' is no host")
        for name, file in self.grids.items():
            if "/" not in name or not isinstance(file, str):
                self.fail(self.line_of("grids", line), f"grids: '{name}': it must be written \"COMPONENT/GRID\" = \"FILE\"")
        if "record" in run and (not run["record"] or self.record.exists() and not self.record.is_dir()):
            self.fail(self.line_of("record", line), f"record: '{run['record']}' is no folder: name one in which each process can make a file")
        for key in ("configuration", "secret"):
            if key in run and not (self.folder / run[key]).is_file():
                self.fail(self.line_of(key, line), f"{key}: {self.folder / run[key]}: no such file")

    def components(self):
        """{component: its time step in seconds, 0: not said}, if every job says which component it is; else none is known."""
        programs = [p for job in self.jobs for p in job.programs]
        return {p.component: p.step for p in programs} if all(p.component for p in programs) else {}

    def sizes(self):
        """{component: (processes, MiB that one of them may use, or 0)} of the same; members of a job share its processes, so that these
        are not known."""
        return {p.component: (p.processes, p.memory) for job in self.jobs for p in job.programs
                if p.component and "H3OU_MEMBERS" not in job.environment}

    def fill(self, job, text, mpi):
        """Replaces {mpi}, {number}, {run} and {directory}; {{ and }} stand for braces."""
        values = {"mpi": mpi or "", "number": job.number, "run": str(self.folder), "directory": str(self.directory)}
        try:
            return str(text).format(**values)
        except (KeyError, IndexError, ValueError) as e:
            self.fail(job.line, f"'{text}' of job {job.name}: {{{e.args[0] if e.args else ''}}} cannot be replaced; known are "
                                + ", ".join("{" + v + "}" for v in values))
        return None


def environment_of(run, job, pb, place):
    """The variables that a job is started with, beyond those of the caller. place: host and port of the master."""
    several = {"WAITIO_MASTER_HOST": place[0], "WAITIO_MASTER_PORT": str(place[1]), "WAITIO_PBID": str(pb),
               "WAITIO_NPB": str(len(run.jobs))} if len(run.jobs) > 1 else {}
    if run.secret:
        several["WAITIO_SECRET_FILE"] = str(run.folder / run.secret)
    elif len(run.jobs) > 1:
        several["WAITIO_SECRET_FILE"] = str(run.directory / "secret")
    # Braces are doubled, since the values of variables are filled in.
    record = {"H3OU_RECORD": str(run.record).replace("{", "{{").replace("}", "}}")} if run.record else {}
    return {**several, "H3OU_RUN_DIRECTORY": str(run.directory), **run.environment, **record, **job.environment}


def own_host(name):
    """Whether a host of the file is this machine."""
    return name.split(":")[0] in ("localhost", "127.0.0.1", os.uname().nodename, os.uname().nodename.split(".")[0])
