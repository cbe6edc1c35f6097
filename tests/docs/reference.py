# SPDX-License-Identifier: BSD-3-Clause
"""Each public call of the three faces has a complete comment, and docs/reference is what its generator writes of them."""
import importlib.util
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
_spec = importlib.util.spec_from_file_location("make_reference", SOURCE / "docs/reference/make_reference.py")
make = importlib.util.module_from_spec(_spec)
sys.modules["make_reference"] = make
_spec.loader.exec_module(make)


def lacks(entry):
    """What a comment does not say. The errors of h3ouc.h, and of classes, are said once for all."""
    if not entry.text:
        return ["a comment"]
    named = {a.name for a in entry.arguments}
    return [f"argument {a}" for a in named if not entry.meaning.get(a)] + \
        [f"no argument is called {a}" for a in entry.meaning if a not in named and not re.match(r"As \w", entry.text)] + \
        [f"{name}:" for name in ("Collective", "Errors") if name not in entry.paragraphs and not entry.shown.startswith("class ")
         and not (name == "Errors" and entry.names[0].startswith("h3ouc_"))]


class Reference(unittest.TestCase):
    def check(self, groups, least):
        entries = [entry for _, _, group in groups for entry in group]
        for entry in entries:
            with self.subTest(name=", ".join(entry.names)):
                self.assertEqual(lacks(entry), [])
        self.assertGreater(sum(len(entry.names) for entry in entries), least)

    def test_fortran(self):
        self.check(make.fortran_groups(), 110)
        self.assertEqual(make.f_groups("h3ou_api")[1], [])  # published names without a procedure

    def test_c(self):
        self.check(make.c_groups(), 140)
        for header in make.HEADERS:
            with self.subTest(header=header):
                text = re.sub(r"/\*.*?\*/", "", (SOURCE / "include" / header).read_text(encoding="utf-8"), flags=re.S)
                declared = {n.replace("#", "") for n in re.findall(r"^ *(?:H3OU_API|static inline) [^(]*?([\w#]+)\(", text, re.M)
                            if n != "__attribute__"}
                self.assertEqual({n for e in make.c_entries(header) for n in e.names}, declared)

    def test_python(self):
        self.check(make.python_groups(), 55)

    def test_examples(self):
        """What every program calls has an example; docs.py compiles it."""
        main = {"fortran": "init def_grid set_interpolation_table init_time set_time put_data get_data coupling_end",
                "c": "open grid_define table_set time_init put get close",
                "python": "init def_grid set_interpolation_table init_time set_time put_data_1d get_data_1d coupling_end"}
        for language, names in main.items():
            groups = getattr(make, f"{language}_groups")()
            with_example = {n for _, _, group in groups for e in group if e.example for n in e.names}
            self.assertEqual({f"h3ou_{n}" for n in names.split()} - with_example, set())

    def test_pages(self):
        for name, text in make.pages().items():
            with self.subTest(page=name):
                self.assertTrue((make.HERE / name).read_text(encoding="utf-8") == text, "run python3 docs/reference/make_reference.py")

    def test_it_can_fail(self):
        comment = "Adds.\n  a: one\nCollective: no.\nErrors: none."
        for shown, wanted in ((["a"], []), (["a", "b"], ["argument b"]), ([], ["no argument is called a"])):
            self.assertEqual(lacks(make.Entry(["add"], "add", [make.Argument(n, "") for n in shown], comment)), wanted)
        self.assertEqual(lacks(make.Entry(["add"], "add", [], "Adds.")), ["Collective:", "Errors:"])
        self.assertEqual(lacks(make.Entry(["add"], "add", [], "")), ["a comment"])
