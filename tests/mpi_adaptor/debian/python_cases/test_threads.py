# SPDX-License-Identifier: BSD-3-Clause
"""Several threads that send, receive and make types at the same time."""
import threading
import time
import unittest

import numpy as np
from mpi4py import MPI

from mpi4py_case import LEFT, RIGHT, WORLD, Case


class Threads(Case):
    def test_many(self):
        if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
            self.skipTest("MPI was not initialised for several threads")
        comms, totals = [WORLD.Dup() for _ in range(4)], [0] * 4

        def work(i):
            got = np.zeros(1, "i")
            for turn in range(50):
                request = comms[i].Isend(np.array([turn], "i"), RIGHT, turn)
                comms[i].Recv(got, LEFT, turn)
                request.Wait()
                kind = MPI.INT.Create_contiguous(turn + 1).Commit()
                totals[i] += int(got[0]) + kind.size // 4 - turn - 1
                kind.Free()
                time.sleep(0)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(totals, [sum(range(50))] * 4)
        for comm in comms:
            comm.Free()


if __name__ == "__main__":
    unittest.main()
