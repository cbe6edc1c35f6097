#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""generated.py SOURCE: the generated Fortran is what its generator writes."""
import pathlib
import subprocess
import sys


def main(source):
    folder = pathlib.Path(source, "src/fortran")
    differ = []
    for which in ("beside", "collectives", "fields", "handles"):
        written = subprocess.run([sys.executable, "-B", folder / "generate.py", which], capture_output=True, text=True, check=True)
        if written.stdout != (folder / f"h3ou_{which}_generated.f90").read_text():
            differ.append(f"python3 src/fortran/generate.py {which} > src/fortran/h3ou_{which}_generated.f90")
    print("\n".join(["to be written again:", *differ] if differ else ["as generated"]))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
