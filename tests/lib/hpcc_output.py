# SPDX-License-Identifier: BSD-3-Clause
"""The input of hpcc for a short run, and what its output must say."""
import re

INPUT = """HPLinpack benchmark input file
here: {size} unknowns, blocks of 16
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
{size}       Ns
1            # of NBs
16           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
{ngrid}            # of process grids (P x Q)
{rows}          Ps
{columns}          Qs
16.0         threshold
{npanel}            # of panel fact
{panels}        PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
6            # of broadcast
0 1 2 3 4 5  BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
2            # of lookahead depth
0 1          DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
1            Number of additional problem sizes for PTRANS
120          values of N
1            number of additional blocking sizes for PTRANS
8            values of NB
"""
# Of the summary at the end what is neither a time nor a rate, nor of the quickest way: sizes, what was verified, the job.
ALIKE = re.compile(r"^(?:\w+_(?:N|NB|nprow|npcol|VectorSize|TableSize|Errors|ErrorsFraction)"
                   r"|sizeof_\w+|CommWorldProcs|HPL_N|Success|VersionM\w+)=.*$", re.M)
ERRORS = re.compile(r"^(?:Found \d+ errors in \d+ locations \(\w+\)|Node\(s\) with error \d+|Solution Validates.*"
                    r"|\s*\d+ tests completed and (?:passed|failed) residual checks).*$", re.M)


def input_of(size, grids, panels):
    """hpccinf.txt: `size` unknowns; grids: (rows, columns) of processes of HPL and PTRANS; panels: factorisations of HPL, of 0 to 2."""
    return INPUT.format(size=size, ngrid=len(grids), rows=" ".join(str(g[0]) for g in grids), columns=" ".join(str(g[1]) for g in grids),
                        npanel=len(panels), panels=" ".join(map(str, panels)))


def problems(text, ways):
    """What hpcc did not verify itself. ways: how many ways of HPL there are."""
    found = [line for line in text.splitlines() if re.search(r"\bFAILED\b|\bfailed\)", line)]
    found += [sentence for sentence in ("End of HPC Challenge tests.", "\nSuccess=1\n", "Solution Validates") if sentence not in text]
    passed = len(re.findall(r"\bPASSED\b", text))
    return found if passed > ways else [*found, f"{passed} runs of HPL and PTRANS passed"]
