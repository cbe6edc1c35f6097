#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_jobs.py H3OU MODEL: jobs of all MPIs started by h3ou run: they end well, fail, are interrupted, and end with the command;
the commands and scripts that it prints do the same."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

H3OU, MODEL = sys.argv[1:3]
TOLD = []
CONFIG = """&h3ou_coupling log_level="WHISPER" /
&h3ou_var comp_put="atmos", comp_get="ocean", grid_put="atmos_g", grid_get="ocean_g", mapping_tag=1 /
&h3ou_var var_put="atmos_v", var_get="atmos_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
&h3ou_var comp_put="ocean", comp_get="atmos", grid_put="ocean_g", grid_get="atmos_g", mapping_tag=1 /
&h3ou_var var_put="ocean_v", var_get="ocean_v", intvl=1200, lag=-1, layer=1, flag='SNP' /
"""
OCEAN = """
[[job]]
name = "ocean"
executable = "{model}.{{mpi}}"
launcher = "{mpi}"
arguments = ["ocean", "atmos", "good.conf", "{fault}"]
processes = 2
"""
SLEEPER = """
import signal, sys, time
if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("sleeps", flush=True)
time.sleep(600)
"""
# In place of what a machine with Slurm, or another host, would have.
FAKES = {
    "srun": '#!/bin/bash\nwhile [[ $1 == -* ]]; do case $1 in --ntasks) n=$2; shift 2 ;; *) shift ;; esac; done\n'
            'exec mpirun.${1##*.} -n $n "$@"\n',
    "scontrol": "#!/bin/bash\necho 127.0.0.1\n",
    "ssh": '#!/bin/bash\nwhile [[ $1 == -* ]]; do [[ $1 == -o ]] && shift; shift; done\n[[ $1 == far ]] || exit 255\nshift\nexec sh -c "$*"\n',
}


def run_file(folder, fault="none", mpis=None, more="", atmos=""):
    """A run of two jobs. atmos: further keys of the first one."""
    mpis = mpis or (jobs.MPIS[0], jobs.MPIS[-1])
    folder.mkdir()
    (folder / "good.conf").write_text(CONFIG)
    text = f'[run]\ndirectory = "out"\ngrace = 3\nreport = false\n{more}\n[[job]]\nname = "atmos"\nexecutable = "{MODEL}.{mpis[0]}"\n'
    text += f'arguments = ["atmos", "ocean", "good.conf", "none"]\nprocesses = 2\n{atmos}'
    (folder / "run.toml").write_text(text + OCEAN.format(model=MODEL, mpi=mpis[1], fault=fault))
    return folder / "run.toml"


def environment(**more):
    return {**os.environ, **jobs.ENVIRONMENT, "H3OU_JOIN_PATIENCE": "60", **more}


def command(*words, **more):
    """Runs it; its code, output, error, and seconds."""
    begun = time.monotonic()
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=200, check=False, stdin=subprocess.DEVNULL,
                          env=environment(**more))
    return done.returncode, done.stdout, done.stderr, time.monotonic() - begun


def expect(*pairs, seen=()):
    """What did not hold, and then what was seen."""
    problems = [said for holds, said in pairs if not holds]
    return problems and [*problems, *seen]


def recorded(root):
    """A component of the run that ended_well has recorded, alone."""
    mpi = jobs.MPIS[-1]
    code, _, err, _ = command(H3OU, "replay", root / "a {record}", "--component", "ocean", "--", f"mpirun.{mpi}", "-n", 1, f"{MODEL}.{mpi}", "ocean",
                              "atmos", "none.conf", "none")
    return expect((code == 0 and "ocean put what it put in the recorded run (processes: 1," in err, f"code {code}"), seen=[err])


def ended_well(root):
    problems = []
    for number, mpis in enumerate([(m, n) for m in jobs.MPIS for n in jobs.MPIS]):
        more = ["--record", root / "a {record}"] if number == 0 else []
        code, out, err, _ = command(H3OU, "run", run_file(root / f"good{number}", mpis=mpis), *more)
        folder = root / f"good{number}/out"
        problems += expect(
            (code == 0, f"code {code}"), (re.search(r"^atmos \| h3ou atmos.0: joined component=atmos .*jobs=2", out, re.M), "atmos is not shown"),
            (re.search(r"^ocean \| h3ou ocean.0: planned", out, re.M), "ocean is not shown"),
            ("planned" in (folder / "log/ocean.log").read_text(), "no log of ocean"), ("2 jobs ended well" in err, "no last words"),
            ((folder / "secret").stat().st_mode & 0o077 == 0, "others can read the secret"))
        problems += [out + err] if problems else []
    return problems + recorded(root)


def one_fails(root):
    code, out, err, _ = command(H3OU, "run", run_file(root / "fails", fault="text@run@1"))
    return expect((code not in (0, 130), f"code {code}"),
                  (re.search(r"the run failed: job ocean: h3ou: .*component ocean rank 1: the ice model melted", err), "the cause is not said"), seen=[out + err])


def one_is_killed(root):
    """The last words name the job whose process was killed, not one that saw it go."""
    problems = []
    for mpi in jobs.MPIS:
        code, out, err, _ = command(H3OU, "run", run_file(root / f"killed-{mpi}", fault="kill@run@1", mpis=(mpi, mpi)))
        said = "the run failed: job ocean: a process (exited on signal 9 \\(Killed\\)|was ended: Killed \\(signal 9\\))$"
        problems += expect((code not in (0, 130), f"{mpi}: code {code}"), (re.search(said, err, re.M), f"{mpi}: the cause is not said"), seen=[out + err])
    return problems


def wrong_configuration(root):
    """No job starts, unless the user wants it; a warning is no reason."""
    wrong = ("intvl=1200", "intvel=1200")
    file = run_file(root / "wrong", more='configuration = "good.conf"')
    (file.parent / "good.conf").write_text(CONFIG.replace(*wrong, 1))
    first = command(H3OU, "run", file)
    second = command(H3OU, "run", file, "--no-check")
    (file.parent / "good.conf").write_text(CONFIG.replace("intvl=1200", "intvl=1500", 1))
    file.write_text(file.read_text().replace("processes = 2", "processes = 2\ncomponent = 'ocean'\nstep = 600").replace("'ocean'", "'atmos'", 1))
    third = command(H3OU, "run", file)
    said = r"good.conf:3: unknown key of h3ou_var 'intvel', did you mean 'intvl'\?"
    return expect((first[0] == 1 and re.search("h3ou run: no job was started: " + said, first[2]), "no error before"), (not first[1], "a job was started"),
                  (second[0] not in (0, 130) and re.search("the run failed: job .*" + said, second[2]), "the jobs did not find it"),
                  (third[0] == 0 and "h3ou run: warning: good.conf:3: intvl=1500 of field atmos_v is no multiple" in third[2], "no warning"),
                  seen=[first, second, third])


def one_never_joins(root):
    """The other would wait for its patience; it is ended after the grace."""
    file = run_file(root / "absent")
    file.write_text(file.read_text().split("[[job]]\nname = \"ocean\"")[0] + '[[job]]\nname = "ocean"\nexecutable = "/bin/false"\n')
    code, out, err, seconds = command(H3OU, "run", file, "--quiet", H3OU_JOIN_PATIENCE="3600")
    return expect((code == 1, f"code {code}"), (seconds < jobs.LONGEST, f"{seconds:.0f} s"), (out == "", "it is not quiet"),
                  ("job ocean ended with code 1" in err, "who ended is not said"), ("ending atmos, 3 s after" in err, "what is ended is not said"),
                  (re.search("the run failed: job ocean: it wrote nothing", err), "the cause is not said"), seen=[f"{seconds:.0f} s", out + err])


def sleepers(root, name, deaf):
    folder = root / name
    folder.mkdir()
    (folder / "sleeper.py").write_text(SLEEPER)
    text = "[run]\ngrace = 3600\n"
    for i in range(2):
        text += f'[[job]]\nname = "s{i}"\nexecutable = "{sys.executable}"\narguments = ["sleeper.py"{deaf and ", " + chr(34) + "deaf" + chr(34)}]\n'
    (folder / "run.toml").write_text(text)
    process = subprocess.Popen([H3OU, "run", folder / "run.toml"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
    for _ in range(2):
        while "sleeps" not in process.stdout.readline():
            pass
    return process, jobs.children(process.pid)


def interrupted(root):
    process, below = sleepers(root, "interrupt", "")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=200)
    problems = expect((process.returncode == 130, f"code {process.returncode}"), ("ending all jobs; again: at once" in out, "no word"),
                      (len(below) == 2, "two jobs were not seen"), (not any(map(jobs.is_running, below)), "processes are left"))
    process, below = sleepers(root, "twice", "deaf")
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    problems += expect((all(map(jobs.is_running, below)), "what ignores the signal has ended"))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=200)
    return problems + expect((process.returncode == 130, f"second: code {process.returncode}"), (time.monotonic() - begun < jobs.LONGEST, "the second is not at once"),
                             (not any(map(jobs.is_running, below)), "second: processes are left"))


def watched(root):
    """h3ou top shows who waits for whom while the run lasts, and then that it ended; and h3ou run shows it on a terminal."""
    file = run_file(root / "watched", more="progress = 0.5")
    file.write_text(file.read_text().replace('"ocean", "good.conf", "none"', '"ocean", "good.conf", "idle"'))
    process = subprocess.Popen([H3OU, "run", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(H3OU_PATIENCE="3600"))
    out, end, waits = "", time.monotonic() + 20, r"ocean +2 .* waits [\d.]+ s for .+"
    while time.monotonic() < end and not re.search(waits, out):
        time.sleep(0.3)
        out = command(H3OU, "top", file.parent / "out", "--once")[1]
    each = command(H3OU, "top", file.parent / "out", "-1", "--processes")[1]
    goes_on = command(H3OU, "stop", file.parent / "out", "--wait", "0.3")
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=200)
    gone = command(H3OU, "top", file.parent / "out", "--once")
    file = run_file(root / "ended")
    command(H3OU, "run", file)
    last = command(H3OU, "top", file.parent / "out")[1]
    return expect((re.search(waits, out), "who waits is not shown"), (goes_on[0] == 0 and re.search("goes on until component .*ocean.* calls h3ou_should_stop", goes_on[1]), f"stop: {goes_on}"),
                  (re.search(r"^ocean.\d +1 .* waits [\d.]+ s", each, re.M), "not each process"),
                  (re.search(r"h3ou run: ocean +2 .* waits [\d.]+ s", said), "no progress"), ("is gone" in gone[1], "killed processes are not gone"),
                  (re.search(r"^atmos +2 +2000-01-01 01:50:00 .*ended$", last, re.M), "the end is not shown"), seen=[out, each, said, gone, last])


def stopped(root):
    """h3ou stop, Ctrl-C, SIGUSR1 and --stop-after end a run at one model time of all components; what does not ask goes on."""
    def one(name, mpis, options, stop):
        file = run_file(root / name, mpis=mpis, more='[run.environment]\nMODEL_ASKS = "1"\n')
        process = subprocess.Popen([H3OU, "run", file, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment())
        end, begun = time.monotonic() + jobs.LONGEST, []
        while stop and time.monotonic() < end and process.poll() is None and len(begun) < 2:  # both have ended their first step
            begun = [t for t in re.findall(r" 2000-\S+ (\S+) ", command(H3OU, "top", file.parent / "out", "-1")[1]) if t != "00:00:00"]
        told = stop(process, file.parent / "out") if stop else None
        out, _ = process.communicate(timeout=200)
        at = re.findall(r"^(?:atmos|ocean) \| stops at (.*)", out, re.M)
        return at, expect((process.returncode == 0, f"{name}: code {process.returncode}"), (len(at) == 2 and len(set(at)) == 1, f"{name}: {at}"),
                          (f", stopped early at {at and at[0]}: go on from there" in out, f"{name}: no word"), seen=[told, out])

    both = [(jobs.MPIS[0], jobs.MPIS[-1]), (jobs.MPIS[-1], jobs.MPIS[0])]
    at, problems = one("told", both[0], [], lambda process, folder: TOLD.append(command(H3OU, "stop", folder)))
    problems += expect((TOLD[0][0] == 0 and TOLD[0][1] == f"h3ou stop: all components end at {at and at[0]}\n", "h3ou stop said something else"), seen=TOLD)
    problems += one("signal", both[1], [], lambda process, folder: process.send_signal(signal.SIGUSR1))[1]
    problems += one("ctrlc", both[0], [], lambda process, folder: process.send_signal(signal.SIGINT))[1]
    problems += one("limit", both[1], ["--stop-after", "0m1s"], None)[1]
    gone = command(H3OU, "stop", root / "told/out")
    return problems + expect((gone[0] == 1 and "the run has ended" in gone[2], "h3ou stop of an ended run"), seen=[gone])


def killed(root):
    process, below = sleepers(root, "killed", "")
    process.kill()
    process.communicate()
    end = time.monotonic() + jobs.LONGEST
    while any(map(jobs.is_running, below)) and time.monotonic() < end:
        time.sleep(0.05)
    return expect((len(below) == 2, "two jobs were not seen"), (not any(map(jobs.is_running, below)), "jobs outlive the command"))


def scripts(root):
    """What --dry-run, --slurm and --pbs print is run."""
    fakes = root / "fakes"
    fakes.mkdir()
    for name, text in FAKES.items():
        (fakes / name).write_text(text)
        (fakes / name).chmod(0o755)
    path = f"{fakes}:{os.environ['PATH']}"
    port, problems = jobs.free_port(), []
    for option, fault in (("--dry-run", "none"), ("--slurm", "none"), ("--slurm", "exit3@run@0"), ("--pbs", "none")):
        folder = root / f"{option}.{fault}"
        file = run_file(folder, more=f"port = {port}", fault=fault)
        (folder / "nodes").write_text("127.0.0.1\n" * 4)
        code, script, err, _ = command(H3OU, "run", file, option)
        code, out, err, _ = command("bash", "-c", script, PATH=path, SLURM_JOB_NODELIST_HET_GROUP_0="x", PBS_NODEFILE=str(folder / "nodes"))
        logs = out + err + "".join(p.read_text() for p in folder.glob("out/log/*.log"))
        good = expect(((code == 0) == (fault == "none"), f"code {code}"), (len(re.findall(r"joined component=.* jobs=2", logs)) == 2, "the jobs did not meet"),
                      (fault != "none" or (folder / "out/setup/atmos").exists(), "no record"))
        problems += good and [f"{option} {fault}: {good}", script, logs]
    file = run_file(root / "far", atmos='launcher = "ssh"\nhosts = ["far"]\n')
    file.write_text(file.read_text().replace("processes = 2\n", "", 1).replace('directory = "out"', 'directory = "out"\nmaster = "127.0.0.1"'))
    code, out, err, _ = command(H3OU, "run", file, PATH=path)
    problems += expect((code == 0, "ssh: code"), ("joined component=atmos" in out, "ssh: not joined")) and [out + err]
    script = command(H3OU, "run", file, "--dry-run", PATH=path)[1]
    code, out, err, _ = command("bash", "-c", script, PATH=path)
    return problems + (expect((code == 0, "ssh in a script: code"), ("joined component=atmos" in out + err, "ssh in a script: not joined")) and [script, out + err])


# What two jobs of a script do, and its code. Before the script stands a `wait` that sleeps first, so that jobs end while it does something else.
ENDS = (("true", "sleep 0.1", 0), ("true", "sleep 1", 0), ("sleep 0.1; exit 7", "true", 7), ("exit 127", "true", 127), ("exit 7", "exec sleep 600", 7))
SLOW = 'wait() { sleep 0.4; builtin wait "$@"; }\n'


def scripts_end(root):
    """A script ends well when all jobs do, at the same time, too, and with the code of one that fails, whose partners it ends."""
    folder = root / "ends"
    folder.mkdir()
    (folder / "run.toml").write_text("[run]\ngrace = 0.5\n" + "".join(f"[[job]]\nname = '{name}'\nexecutable = '/bin/sh'\narguments = ['-c', 'eval \"${name}\"']\n"
                                                                      for name in "ab"))
    _, script, err, _ = command(H3OU, "run", folder / "run.toml", "--dry-run")
    problems = []
    for a, b, code in ENDS:
        got, out, more, _ = command("bash", "-c", SLOW + script, a=a, b=b)
        problems += expect((got == code, f"after {a}, and {b}: code {got}, not {code}"), seen=[out + more])
    return problems and [*problems, script, err]


def copies(root):
    folder = root / "copies"
    folder.mkdir()
    (folder / "run.toml").write_text('[[job]]\nname = "m"\ncopies = 3\nexecutable = "/bin/sh"\narguments = ["-c", "echo number {number} $H3OU_MEMBERS $WAITIO_PBID"]\n'
                                     'members = 2\n[[job]]\nexecutable = "echo"\narguments = ["{{{run}}}"]\n')
    code, out, err, _ = command(H3OU, "run", folder / "run.toml")
    said = sorted(out.splitlines())
    return expect((code == 0, f"code {code}"), (said == [f"echo  | {{{folder}}}", *(f"m000{i} | number {i} 2 {i}" for i in range(3))], "what they said"), seen=[out + err])


def main():
    tally = jobs.Tally()
    with tempfile.TemporaryDirectory() as folder:
        cases = (ended_well, one_fails, one_is_killed, wrong_configuration, one_never_joins, interrupted, watched, stopped, killed, scripts, scripts_end, copies)
        for case, problems in zip(cases, jobs.side_by_side(lambda case: case(pathlib.Path(folder).resolve()), [(case,) for case in cases])):
            tally.check(case.__name__, problems)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
