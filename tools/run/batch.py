# SPDX-License-Identifier: BSD-3-Clause
"""The same run for a batch system: commands for a shell, a heterogeneous job of Slurm, a job of PBS."""
import shlex

import launchers
from run_file import RunError, environment_of

HEAD = "#!/bin/bash\n# Made by h3ou run from {path}. Change that file, and make this one again.\n"


def port_of(run):
    if run.port is None:
        raise RunError(f"{run.path}:{run.line_of_table('run', 0)}: a batch script needs the key port in [run]: a free port of the first host, "
                       "below 32768")
    return run.port


def programs_of(run, job, mpi=None):
    """Words of a job's only program; the files are looked for where the script runs."""
    if len(job.programs) > 1:
        run.fail(job.line, f"job {job.name}: a batch script starts one program a job; make a [[job]] of each [[job.program]]")
    program = job.programs[0]
    if not mpi and isinstance(job.launcher, str) and job.launcher in launchers.LONG:
        mpi = job.launcher
    name = run.fill(job, program.executable, mpi)
    if "/" in name or (launchers.folder_of(run, job, mpi) / name).exists():
        name = str(launchers.folder_of(run, job, mpi) / name)
    return [name, *(run.fill(job, a, None) for a in program.arguments)]


def exports(run, job, pb, host):
    found = environment_of(run, job, pb, (host, port_of(run)))
    lines = []
    for k, v in found.items():
        text = run.fill(job, v, None)
        lines.append(f"{k}={text if v == host else shlex.quote(text)}")
    return " ".join(lines)


def secret_lines(run):
    if run.secret or len(run.jobs) == 1:
        return ""
    file = shlex.quote(str(run.directory / "secret"))
    return f"(umask 077 && head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \\n' > {file})\n"


def begin(run):
    """What the script does before the first job: folders, and a secret for this run."""
    folders = [str(run.directory / name) for name in ("log", "setup", "state", "timeline")]
    old = " ".join(f"{shlex.quote(folder)}/*" for folder in folders[2:]) + " " + shlex.quote(str(run.directory / "stop"))
    return f"set -u\nmkdir -p {shlex.join(folders)}\nrm -f {old}\n" + secret_lines(run)


def job_line(run, job, pb, words):
    """Starts a job in its folder, with its variables and its log. words: its command, for a shell."""
    folder, log = launchers.folder_of(run, job, None), run.directory / "log" / (job.name + ".log")
    return (f"({launchers.shell_line(folder, exports(run, job, pb, '$master'), words)}) "
            f"> {shlex.quote(str(log))} 2>&1 & pids+=($!)\n")


def waits(run):
    """Ends all when one fails; the exit code is that of the first that failed. Each job is looked at: `wait -n` misses one that ends while
    the script does something else, and says 127."""
    return ("code=0\nwhile ((code == 0 && ${#pids[@]} > 0)); do\n  sleep 0.2\n  for i in \"${!pids[@]}\"; do\n"
            "    kill -0 \"${pids[i]}\" 2> /dev/null && continue\n    wait \"${pids[i]}\" || code=$?\n    unset \"pids[i]\"\n"
            "    ((code == 0)) || break\n  done\ndone\n"
            f"if ((code != 0 && ${{#pids[@]}} > 0)); then\n  sleep {run.grace:g}\n  kill \"${{pids[@]}}\" 2> /dev/null\nfi\nwait\nexit $code\n")


def dry_run(run, starts, more):
    """A script for a shell on this host: the command of each job stands on a line."""
    lines = [f"export {k}={shlex.quote(v)}\n" for k, v in more.items()]
    for start in starts:  # what is started by ssh ends when its input does: here with the script
        more_words = " < <(exec tail --pid=$$ -f /dev/null 2> /dev/null)" if start.words[0] == "ssh" else ""
        lines.append(f"({start.shell()}{more_words}) & pids+=($!)\n")
    return HEAD.format(path=run.path) + begin(run) + "".join(lines) + waits(run)


def slurm(run):
    """A heterogeneous job: one component of it for each job of the run, on its own nodes."""
    text = HEAD.format(path=run.path) + f"#SBATCH --job-name={run.path.stem}\n"
    for i, job in enumerate(run.jobs):
        text += ("#SBATCH hetjob\n" if i else "") + f"#SBATCH --ntasks={job.processes}\n"
        text += f"#SBATCH --nodelist={','.join(h.split(':')[0] for h in job.hosts)}\n" if job.hosts else ""
    group = "SLURM_JOB_NODELIST_HET_GROUP_0" if len(run.jobs) > 1 else "SLURM_JOB_NODELIST"
    text += begin(run) + f"master=$(scontrol show hostnames \"${group}\" | head -n 1)\n"
    for i, job in enumerate(run.jobs):
        options = [f"--het-group={i}"] if len(run.jobs) > 1 else []
        text += job_line(run, job, i, shlex.join(["srun", *options, "--ntasks", str(job.processes), *job.options, *programs_of(run, job)]))
    return text + waits(run)


def pbs(run):
    """A job of PBS: each job of the run has its chunk, and its own mpirun on the hosts of that chunk."""
    chunks = "+".join(f"1:ncpus={job.processes}:mpiprocs={job.processes}" for job in run.jobs)
    text = HEAD.format(path=run.path) + f"#PBS -N {run.path.stem[:15]}\n#PBS -l select={chunks}\n"
    text += begin(run) + "mapfile -t slots < \"$PBS_NODEFILE\"\nmaster=${slots[0]}\n"
    first = 0
    for i, job in enumerate(run.jobs):
        mpi = launchers.choose(run, job)[1] if isinstance(job.launcher, str) else None
        if not mpi:
            run.fail(run.line_of("launcher", job.line), f"job {job.name}: in a script of PBS the launcher is mpich or openmpi: name one")
        file = shlex.quote(str(run.directory / f"hosts.{job.name}"))
        text += f"printf '%s\\n' \"${{slots[@]:{first}:{job.processes}}}\" > {file}\n"
        option = {"mpich": "-f", "openmpi": "--hostfile"}[mpi]
        passed = sorted(environment_of(run, job, i, ("", ""))) if mpi == "openmpi" else []
        text += job_line(run, job, i, f"mpirun.{mpi} {option} {file} " + shlex.join(
            [*(w for k in passed for w in ("-x", k)), *job.options, "-n", str(job.processes), *programs_of(run, job, mpi)]))
        first += job.processes
    return text + waits(run)
