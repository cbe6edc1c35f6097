#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""memory.py BUILD PROGRAMS: a million handles of each kind that the MPIs make quickly, and fewer of the others, leave memory as it was."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import unittest

BUILD, PROGRAMS = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib"))
import jobs

COUNT = 1000000
# Programs, and the MPIs that they run on by the adaptor.
PAIRS = (("mpich", "openmpi"), ("openmpi", "mpich"), ("abi", "openmpi"), ("abi", "mpich"))
# Bytes that may be more for other reasons (lists of free memory of the C library); a table that loses handles grows by 65536.
SLACK = 40000
# MPICH 4.0.2 itself loses 64 bytes with each file in some processes.
OF_THE_MPI = {("mpich", "file"): 64}
FEWEST = {"request": COUNT, "request_persistent": COUNT, "request_generalised": COUNT, "request_number": COUNT, "op": COUNT, "keyval": COUNT,
          "message": 500000, "type": 333333, "group": 500000, "info": 500000, "errhandler": 500000, "request_with_types": 50000,
          "requests_at_once": 80, "types_at_once": 100, "comm": 20000, "comm_late": 20000, "window": 6000, "file": 500}
ENVIRONMENT = {**os.environ, **jobs.ENVIRONMENT, "OMPI_MCA_osc": "^ucx"}


def count_bytes(pair):
    built, target = pair
    command = [BUILD / "bin/h3ou", "mpirun", "--on", target, "-n", "1", PROGRAMS / f"handle_memory.{built}", str(COUNT)]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=180, stdin=subprocess.DEVNULL, env=ENVIRONMENT)
    lines = [line.split() for line in done.stdout.splitlines()]
    return done, {words[0]: (int(words[1]), int(words[2])) for words in lines if len(words) == 3}


class Memory(unittest.TestCase):
    def test_handles(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (built, target), (done, found) in zip(PAIRS, pool.map(count_bytes, PAIRS)):
                with self.subTest(built=built, target=target):
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertEqual(found.keys(), FEWEST.keys())
                    lost = [f"{kind}: {times} times, {more} bytes more" for kind, (times, more) in found.items()
                            if times < FEWEST[kind] or more > SLACK + OF_THE_MPI.get((target, kind), 0) * times]
                    self.assertEqual(lost, [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
