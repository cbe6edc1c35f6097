# SPDX-License-Identifier: BSD-3-Clause
"""h3ou universe: what the jobs of a RUN.toml are started with so that they are one MPI_COMM_WORLD: a library that is preloaded."""
import launchers

# How a launcher hands a variable to the processes, but does not take it itself.
SETTING = {"mpich": lambda value: ["-genv", "LD_PRELOAD", value],
           "openmpi": lambda value: ["-x", f"LD_PRELOAD={value}"],
           "srun": lambda value: [f"--export=ALL,LD_PRELOAD={value}"]}


def mpi_of_job(run, job, launcher, mpi):
    """The MPI that a job's programs call."""
    built = mpi or launchers.mpi_of(launchers.programs_of(run, job, mpi)[0][1][0])
    if not built:
        run.fail(run.line_of("executable", job.line), f"job {job.name}: {job.programs[0].executable} needs no MPI library that is known: "
                 "where a module loads it later, as in Python, name the launcher: mpich or openmpi")
    return built


def prepare(run, libraries):
    """Gives each job the library that stands before its MPI's own."""
    if run.configuration or run.record:
        run.fail(run.line_of_table("run", 0), "h3ou universe couples no models: leave the keys configuration and record out, or use h3ou run")
    run.report, run.progress = False, 0
    for job in run.jobs:
        if isinstance(job.launcher, list):
            run.fail(run.line_of("launcher", job.line), f"job {job.name}: with a list of words as launcher, preload libh3ou_universe_mpich.so or "
                     "libh3ou_universe_openmpi.so by its own options")
        launcher, mpi = launchers.choose(run, job)
        built = mpi_of_job(run, job, launcher, mpi)
        library = (libraries / f"libh3ou_universe_{built}.so").resolve()
        if not library.is_file():
            run.fail(job.line, f"job {job.name}: {library} is missing: build h3ou where {launchers.LONG[built]} is installed")
        if launcher in SETTING:
            job.options = [*SETTING[launcher](str(library)), *job.options]
        else:
            job.environment["LD_PRELOAD"] = str(library)
