# SPDX-License-Identifier: BSD-3-Clause
# For the scripts of the samples, which source it: coupled runs of several jobs on this machine.

# Open MPI asks for these where it runs as root, or where processes outnumber cores.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
if [ "$(id -u)" = 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

# Below the range from which the system serves whoever asks for any port: mpirun does, too.
free_port() {
  local port
  while port=$((12000 + RANDOM % 20000)); do
    (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null || break
  done
  echo "$port"
}

pids=()
trap '[ ${#pids[@]} = 0 ] || kill "${pids[@]}" 2> /dev/null || true' EXIT
trap 'exit 1' INT TERM

# begin JOBS: a new run of so many jobs
begin() {
  WAITIO_MASTER_PORT=$(free_port)
  export WAITIO_MASTER_HOST=127.0.0.1 WAITIO_MASTER_PORT WAITIO_NPB=$1
  pids=()
}

# start MPI PROCESSES COMMAND...: the next job of the run
start() {
  local mpi=$1 procs=$2
  shift 2
  WAITIO_PBID=${#pids[@]} "mpirun.$mpi" -n "$procs" "$@" < /dev/null &
  pids+=($!)
}

# Waits for all jobs of the run. When one fails, the others say so and end; one that never joined is ended by the trap.
finish() {
  local left=${#pids[@]}
  while [ "$left" -gt 0 ]; do
    if ! wait -n; then
      echo "run: a job failed" >&2
      sleep 2
      exit 1
    fi
    left=$((left - 1))
  done
  pids=()
}
