# SPDX-License-Identifier: BSD-3-Clause
"""How a job is started: one function a launcher, and one line in LAUNCHERS. Each returns the words of a command."""
import os
import pathlib
import shlex
import shutil
import subprocess

from run_file import RunError, environment_of, own_host

# What tells in the output of ldd which MPI an executable was built with.
LIBRARIES = {"libmpich.so.12": "mpich", "libmpi.so.12": "mpich", "libmpi.so.40": "openmpi"}
LONG = {"mpich": "MPICH", "openmpi": "Open MPI"}


class Start:
    """A job that is ready to start: words of the command, its folder, and the variables beyond the caller's."""

    def __init__(self, job, mpi, words, folder, environment):
        self.job, self.mpi, self.words, self.folder, self.environment = job, mpi, words, folder, environment

    def shell(self):
        """The command as a line for a shell: to end the shell's process ends it."""
        variables = " ".join(f"{k}={shlex.quote(v)}" for k, v in self.environment.items())
        return shell_line(self.folder, variables, shlex.join(self.words))


def shell_line(folder, variables, words):
    """A command in its folder for a shell, which it takes the place of. variables, words: as a shell reads them."""
    return f"cd {shlex.quote(str(folder))} && exec env {variables} {words}"


def mpi_of(path):
    """Which MPI an executable was built with: mpich, openmpi, or None."""
    try:
        said = subprocess.run(["ldd", str(path)], capture_output=True, text=True, check=False).stdout
    except OSError:
        return None
    return next((mpi for library, mpi in LIBRARIES.items() if library in said), None)


def programs_of(run, job, mpi):
    """[(processes, words)] of a job's programs, which must exist."""
    found = []
    for program in job.programs:
        name = run.fill(job, program.executable, mpi)
        path = folder_of(run, job, mpi) / os.path.expanduser(name)
        if os.sep not in name and not path.exists() and shutil.which(name):
            path = pathlib.Path(shutil.which(name))
        if not job.hosts or all(map(own_host, job.hosts)):
            if not path.is_file():
                run.fail(run.line_of("executable", job.line), f"executable of job {job.name}: {path}: no such file")
            if not os.access(path, os.X_OK):
                run.fail(run.line_of("executable", job.line), f"executable of job {job.name}: {path} may not be executed")
        found.append((program.processes, [str(path), *(run.fill(job, a, mpi) for a in program.arguments)]))
    return found


def folder_of(run, job, mpi):
    return run.folder / os.path.expanduser(run.fill(job, job.directory, mpi))


def find_mpirun(run, job, mpi):
    """mpirun.mpich where Debian's names are used, else mpirun, when it is that MPI's."""
    for name in (f"mpirun.{mpi}", f"mpiexec.{mpi}"):
        if shutil.which(name):
            return name
    said = ""
    if shutil.which("mpirun"):
        said = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout
    if ("Open MPI" in said) == (mpi == "openmpi") and ("HYDRA" in said or "Open MPI" in said):
        return "mpirun"
    run.fail(run.line_of("launcher", job.line), f"job {job.name}: no mpirun of {LONG[mpi]} in PATH: install it, or choose another launcher")
    return None


def multiple(start_of, programs):
    """PROGRAM : PROGRAM, as the mpiruns want it."""
    words = []
    for i, (processes, command) in enumerate(programs):
        words += ([":"] if i else []) + start_of(processes) + command
    return words


def with_mpich(run, job, programs, environment):
    hosts = ["-hosts", ",".join(job.hosts)] if job.hosts else []
    return [find_mpirun(run, job, "mpich"), *hosts, *job.options, *multiple(lambda n: ["-n", str(n)], programs)]


def with_openmpi(run, job, programs, environment):
    hosts = ["--host", ",".join(job.hosts)] if job.hosts else []
    passed = [w for name in environment for w in ("-x", name)]
    return [find_mpirun(run, job, "openmpi"), *multiple(lambda n: [*hosts, *passed, *job.options, "-n", str(n)], programs)]


def only_program(run, job, programs, launcher):
    if len(programs) > 1:
        run.fail(job.line, f"job {job.name}: the launcher {launcher} starts one program; make a [[job]] of each [[job.program]]")
    return programs[0]


def with_srun(run, job, programs, environment):
    processes, command = only_program(run, job, programs, "srun")
    hosts = ["--nodelist", ",".join(job.hosts)] if job.hosts else []
    return ["srun", "--ntasks", str(processes), *hosts, *job.options, *command]


# The far side ends its program when the connection ends: then `cat` reads the end of its input.
FAR = "exec 3<&0; ({command}) </dev/null & p=$!; {{ cat <&3; kill $p; }} >/dev/null 2>&1 & c=$!; wait $p; s=$?; kill $c 2>/dev/null; exit $s"


def with_ssh(run, job, programs, environment):
    """The job's own mpirun on another host, or a process without MPI. hosts: where; options: those of ssh."""
    if len(job.hosts) != 1:
        run.fail(job.line, f"job {job.name}: the launcher ssh needs one host: hosts = [\"node1\"]")
    processes, command = only_program(run, job, programs, "ssh")
    far = ["env", *(f"{k}={v}" for k, v in environment.items())]
    if processes > 1:
        mpi = mpi_of(command[0]) if own_host(job.hosts[0]) else None
        far += [f"mpirun.{mpi}" if mpi else "mpirun", "-n", str(processes)]
    line = f"cd {shlex.quote(str(folder_of(run, job, None)))} && exec {shlex.join(far + command)}"
    return ["ssh", "-o", "BatchMode=yes", *job.options, job.hosts[0], FAR.format(command=line)]


def with_none(run, job, programs, environment):
    processes, command = only_program(run, job, programs, "none")
    if processes > 1:
        run.fail(run.line_of("processes", job.line),
                 f"job {job.name}: {processes} processes need an MPI, but {command[0]} is linked with none that is known: name the launcher")
    return command


LAUNCHERS = {"mpich": with_mpich, "openmpi": with_openmpi, "srun": with_srun, "ssh": with_ssh, "none": with_none}


def choose(run, job):
    """(launcher's name, MPI) of a job that says "auto", or nothing."""
    wanted = job.launcher
    if wanted != "auto":
        if wanted not in LAUNCHERS:
            run.fail(run.line_of("launcher", job.line),
                     f"launcher '{wanted}' of job {job.name}: known are auto, {', '.join(LAUNCHERS)}, and a list of words")
        return wanted, wanted if wanted in LONG else None
    programs = programs_of(run, job, None)
    mpi = mpi_of(programs[0][1][0])
    return mpi or "none", mpi


def check_built(run, job, mpi, programs):
    for _, command in programs:
        built = mpi_of(command[0])
        if built and built != mpi:
            run.fail(run.line_of("launcher", job.line), f"job {job.name}: {command[0]} is built with {LONG[built]}, but its launcher is {LONG[mpi]}'s: "
                     f"write launcher = \"{built}\", or leave it out")


def prepare(run, job, pb, place):
    """The Start of a job."""
    words = job.launcher if isinstance(job.launcher, list) else None
    name, mpi = ("own", None) if words is not None else choose(run, job)
    programs = programs_of(run, job, mpi)
    environment = environment_of(run, job, pb, place)
    environment = {k: run.fill(job, v, mpi) for k, v in environment.items()}
    if mpi:
        check_built(run, job, mpi, programs)
    folder = folder_of(run, job, mpi)
    if not folder.is_dir() and name != "ssh":
        run.fail(run.line_of("directory", job.line), f"directory of job {job.name}: {folder}: no such folder")
    if words is not None:
        if not words:
            run.fail(run.line_of("launcher", job.line), f"launcher of job {job.name}: an empty list")
        processes, command = only_program(run, job, programs, words[0])
        command = [str(w).replace("{processes}", str(processes)) for w in words] + command
    else:
        command = LAUNCHERS[name](run, job, programs, environment)
    if not shutil.which(command[0]):
        raise RunError(f"{run.path}:{job.line}: job {job.name}: {command[0]}: no such command")
    return Start(job, mpi, command, run.folder if name == "ssh" else folder, environment)


def places_of(run, starts):
    """{component: the folder where it runs}, of those that are on this host."""
    found = {}
    for start in starts:
        folder = folder_of(run, start.job, start.mpi).resolve()
        if folder.is_dir() and all(map(own_host, start.job.hosts)):
            found |= {program.component: str(folder) for program in start.job.programs if program.component}
    return found


def crowded(run, starts):
    """Variables for Open MPI, where it runs as root, or its processes and the others outnumber the cores of this host."""
    here = sum(s.job.processes for s in starts if not s.job.hosts or all(map(own_host, s.job.hosts)))
    found = {}
    if os.geteuid() == 0:
        found |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    if here > (os.cpu_count() or 1):
        found |= {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
    return found
