# SPDX-License-Identifier: BSD-3-Clause
"""h3ou convert-config: another coupler's configuration as h3ou's namelist. Called by the command h3ou, which has read the options:

    convert FILE oasis|yac|"" COMPONENTS STEPS OUTPUT LIBRARY

COMPONENTS: "toce=ocean,tatm=atmos", the component of each grid of a namcouple. STEPS: "atmos=900,ocean=3600". OUTPUT "": standard output."""
import os
import pathlib
import re
import sys
import tempfile

ROOM = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOM), str(ROOM / "check")]
import check_options
import coupling_conf
import findings
import namcouple
import run_file
import yac_yaml

LARGEST = 4 << 20
NOT_ALL = 3


def read(path):
    try:
        data = pathlib.Path(path).read_bytes()
    except OSError as e:
        raise coupling_conf.ConvertError(f"{path}: {e.strerror}") from None
    if len(data) > LARGEST or b"\0" in data:
        raise coupling_conf.ConvertError(f"{path}:1: {'it is larger than 4 MiB' if len(data) > LARGEST else 'it is no text'}")
    return data.decode("utf-8", "replace")


def pairs_of(text, option):
    """{"a": "b"} of "a=b,..."."""
    found = {}
    for word in filter(None, text.split(",")):
        name, sign, value = word.partition("=")
        if not name or not sign or not re.fullmatch(r"[\w.+-]{1,64}", value):
            raise coupling_conf.ConvertError(f"{option}: '{word}': GRID=COMPONENT")
        found[name] = value
    return found


def check_result(path, text, library, source):
    """Says what h3ou check says of the namelist; returns the number of errors."""
    if not library:
        return 0
    names = sorted(set(re.findall(r'comp_(?:put|get)="([^"]*)"', text)))
    steps = {n: float(source.steps.get(n, 0)) for n in names} if source.steps else {}
    with tempfile.NamedTemporaryFile("w", suffix=".conf", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        found = findings.find(library, findings.Wanted(path.parent if path else ".", file.name, steps, {}, None))
        for kind, said in found:
            if kind in ("warning", "error"):
                print(f"h3ou convert-config: of the result: {kind}: {said.replace(file.name, str(path or 'the namelist'))}", file=sys.stderr)
    return sum(kind == "error" for kind, _ in found)


def convert_file(path, kind, components, steps, output, library):
    source = coupling_conf.Source(path, {n: s for n, s in check_options.steps_of(steps).items() if s > 0})
    source.steps = {n: coupling_conf.fractions.Fraction(s).limit_denominator(1000000) for n, s in source.steps.items()}
    text = read(path)
    is_namcouple = kind == "oasis" or (not kind and re.search(r"^\s*\$STRINGS\b", text, re.M | re.I))
    convert = namcouple.convert if is_namcouple else yac_yaml.convert
    result = convert(source, text, pairs_of(components, "--components"))
    if output:
        part = pathlib.Path(output + ".part")
        part.write_text(result, encoding="utf-8")
        os.replace(part, output)
    else:
        sys.stdout.write(result)
    for remark in sorted(source.remarks, key=lambda r: r.line):
        print(f"h3ou convert-config: {path}:{remark.line}: {'not converted: ' if remark.is_lost else 'note: '}{remark.text}", file=sys.stderr)
    errors = check_result(pathlib.Path(output) if output else None, result, library, source)
    return NOT_ALL if errors or any(r.is_lost for r in source.remarks) else 0


def main(path, kind, components, steps, output, library):
    try:
        return convert_file(path, kind, components, steps, output, library)
    except (coupling_conf.ConvertError, run_file.RunError, OSError) as e:
        print(f"h3ou convert-config: {e}", file=sys.stderr)
        return 1
