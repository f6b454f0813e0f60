# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every folder of src/ uses only what the table "Where things are" in DEVELOPERS.md allows, and that no internal
type has the name of another.

A folder may use only rows above its own, so the table has no cycle. The real edges come from two sources: the includes of the
sources, and the symbols of the built objects (who defines a name, who needs it).

    python3 layers.py SOURCE_FOLDER BUILD_FOLDER
"""
import collections
import os
import re
import subprocess
import sys

OURS = re.compile(r"(hs_|lab_|cli_)")


def read_table(path):
    """The rows | `src/FOLDER/` | what | may use |, in order: folder -> words of the last column."""
    rows = {}
    for line in open(path, encoding="utf-8"):
        row = re.match(r"\| `src/([\w/]+)/` \|.*\|([^|]*)\|$", line.rstrip())
        if row:
            rows[row[1]] = [word for word in re.split(r"[\s,]+", row[2]) if word not in ("", "nothing")]
    return rows


def check_table(rows, folders):
    problems = [f"DEVELOPERS.md has no row for src/{folder}/" for folder in sorted(folders - rows.keys())]
    problems += [f"DEVELOPERS.md has a row for src/{folder}/, which has no sources" for folder in rows if folder not in folders]
    above = []
    for folder, uses in rows.items():
        for word in uses:
            if word != "MPI" and not expand(word, above):
                problems.append(f"DEVELOPERS.md: src/{folder}/ may use {word}, which is no row above it")
        above.append(folder)
    return problems


def expand(word, rows):
    """A layer stands for all its folders."""
    return {folder for folder in rows if folder == word or folder.startswith(word + "/")}


def included(source):
    """(folder, folder included) -> a place that shows it."""
    edges, folders = {}, set()
    for where, _, files in os.walk(os.path.join(source, "src")):
        for name in files:
            if not name.endswith((".c", ".h", ".in")):
                continue
            path = os.path.join(where, name)
            folder = os.path.relpath(where, os.path.join(source, "src"))
            folders.add(folder)
            for number, line in enumerate(open(path, encoding="utf-8"), 1):
                include = re.match(r'\s*#\s*include "([\w/]+)/\w+\.h"', line)
                if include:
                    edges.setdefault((folder, include[1]), f"{os.path.relpath(path, source)}:{number}")
    return edges, folders


def declared_twice(source):
    """Internal types that two files declare under one name."""
    files = collections.defaultdict(set)
    for where, _, names in os.walk(os.path.join(source, "src")):
        for path in (os.path.join(where, name) for name in names if name.endswith((".c", ".h"))):
            for kind in re.finditer(r"^(?:typedef )?(?:struct|enum|union) (hs__\w+)\s*\{", open(path, encoding="utf-8").read(), re.M):
                files[kind[1]].add(os.path.relpath(path, source))
    return [f"{name} is declared in {' and '.join(sorted(paths))}" for name, paths in sorted(files.items()) if len(paths) > 1]


def is_current(source, build, folder, name):
    """Whether an object's source is still there: FILE.o or PROGRAM-FILE.o."""
    stem = name[:-2].rsplit("-", 1)[-1]
    return any(os.path.exists(os.path.join(top, "src", folder, stem + ".c")) for top in (source, build))


def symbols(source, build):
    """folder -> names its objects define, and folder -> {name needed: object}."""
    defined, needed = collections.defaultdict(set), collections.defaultdict(dict)
    for where, _, files in os.walk(os.path.join(build, "src")):
        folder = re.sub(r"/\.libs$", "", os.path.relpath(where, os.path.join(build, "src")))
        objects = [os.path.join(where, name) for name in files if name.endswith(".o") and is_current(source, build, folder, name)]
        if not objects:
            continue
        listing = subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            path, rest = line.split(":", 1)
            kind, name = rest.split()[-2:]
            if kind == "U":
                needed[folder].setdefault(name, os.path.relpath(path, build))
            elif kind.isupper() or kind in "dbru":
                defined[folder].add(name)
    return defined, needed


def linked(source, build):
    """The same edges as included(), from symbols; and the folders that call MPI."""
    defined, needed = symbols(source, build)
    edges, calls_mpi = {}, {}
    home = {name: folder for folder, names in defined.items() for name in names if OURS.match(name)}
    for folder, names in needed.items():
        for name, path in names.items():
            if re.match(r"P?MPI_", name):
                calls_mpi.setdefault(folder, f"{path}: {name}")
            target = home.get(name)
            if target and name not in defined[folder]:
                edges.setdefault((folder, target), f"{path}: {name}")
    return edges, calls_mpi


def main():
    source, build = sys.argv[1:]
    rows = read_table(os.path.join(source, "DEVELOPERS.md"))
    edges, folders = included(source)
    from_symbols, calls_mpi = linked(source, build)
    problems = check_table(rows, folders) + declared_twice(source)
    for (folder, target), place in sorted({**from_symbols, **edges}.items()):
        allowed = set().union({folder}, *(expand(word, rows) for word in rows.get(folder, [])))
        if target in folders and target not in allowed:
            problems.append(f"{place}: src/{folder}/ uses src/{target}/, which DEVELOPERS.md does not allow")
    for folder, place in sorted(calls_mpi.items()):
        if "MPI" not in rows.get(folder, []):
            problems.append(f"{place}: src/{folder}/ calls MPI, which DEVELOPERS.md does not allow")
    if not from_symbols:
        problems.append(f"{build}/src has no objects to read symbols from")
    print("\n".join(problems) or f"{len(edges)} edges from includes and {len(from_symbols)} from symbols, all allowed")
    return 1 if problems else 0


sys.exit(main())
