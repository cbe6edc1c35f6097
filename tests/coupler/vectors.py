#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""vectors.c: in one job and over two, few layers and very many, values of double and of float, one put and means, with one thread and with
two, through shared memory and without it, by Cartesian components, which the library or A makes, and by a table that turns vectors."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
import jobs

CONFIG = """&h3ou_coupling log_level="LOUD" /
&h3ou_var comp_put="A", comp_get="B", grid_put="g", grid_get="g", mapping_tag=1 /
&h3ou_var var_put_{4}="wind", var_get_vec="wind", intvl={0}, lag=-1, layer={1}, type='{2}', flag='{3}' /
"""
STEP, INTERVALS = 60, 3
# Layers, puts of an interval, type.
CASES = [(1, 1, "real8"), (2, 2, "real8"), (9, 1, "real4"), (1, 2, "real4"), (40, 2, "real8"), (180, 1, "real8"), (180, 2, "real4")]
MOST = {"real8": 1e-12, "real4": 2e-6}


def main(program):
    tally, ways, turn = jobs.Tally(), jobs.ways(), 0
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "c.conf")
        for layers, puts, kind in CASES:
            for threads, given in ((1, []), (2, []), (1, ["turned"]), (2, ["cartesian"])):
                turn += 1
                config.write_text(CONFIG.format(STEP * puts, layers, kind, "AVR" if puts > 1 else "SNP", "xyz" if "cartesian" in given else "vec"))
                env = {"OMP_NUM_THREADS": threads, "H3OU_SHARED_MEMORY": int(turn % 5 > 0)}
                way = ways[(turn + turn // 4) % len(ways)]
                results = jobs.run(way, *((1, program, [me, config, layers, puts, MOST[kind] * puts, *given]) for me in "AB"), env=env)
                said = " ".join(r.out for r in results)
                problems = jobs.problems_of(results) or ([] if said.count("largest difference") == INTERVALS + 1 else [said])
                order = "order=rows" if layers == 1 else "order=grid"
                problems += [f"no {order}"] if order not in " ".join(r.err for r in results) else []
                tally.check(f"{' '.join(way)} layers={layers} puts={puts} {kind} {' '.join(given)} {env}", problems)
        config.write_text(CONFIG.format(2 * STEP, 1, "real8", "SNP", "vec"))  # the last value, not the mean
        results = jobs.run(ways[0], *((1, program, [me, config, 1, 2, 1e-12]) for me in "AB"))
        tally.check("a difference is found", [] if any(r.code for r in results) else ["none was found"])
    return tally.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
