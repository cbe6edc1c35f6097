#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints a management file: which process, from 1, manages which regions.

    mkmnginfo.py RLEVEL PROCESSES
"""
import sys


def main(rlevel, processes):
    regions = 10 * 4**rlevel
    if not 0 < processes <= regions:
        sys.exit(f"mkmnginfo: {processes} processes: at least 1, at most one for each of {regions} regions")
    print(f"&proc_info num_of_proc={processes} /")
    for p in range(processes):
        mine = [r + 1 for r in range(regions) if r * processes // regions == p]
        print(f"&rgn_mng_info peid={p + 1}, num_of_mng={len(mine)}, mng_rgnid={', '.join(map(str, mine))} /")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
