#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""README's table of what the library brings, from bench/gains.csv: a row a claim, with the command that measures it.

usage: gains.py [--results FILE] [--readme FILE] [--check]
       gains.py [--results FILE] [--readme FILE] --measure BUILD [--only WORDS] [--dry-run]

Without --measure the table of README is written anew, or with --check compared. With it the command of every row, or of
those whose first column contains WORDS, is run first, and its median and range replace those of the file; --dry-run
prints the commands instead. They need root (hs lab) and what `make bench` builds. What is measured anew belongs on the
row's page, too: tests/doc/figures.sh compares them, and what the commands print, which is handed on, has the page's other
figures."""
import argparse, csv, os, shlex, subprocess, sys

BENCH = os.path.dirname(os.path.abspath(__file__))
HEADING = "| what | against | times faster | made by | page |\n|---|---|---|---|---|\n"


def command(row, build):
    """The words that measure a row, from the top folder."""
    return [build if word == "BUILD" else word for word in shlex.split(row["command"])]


def table(rows):
    lines = []
    for row in rows:
        reach = f" ({row['low']} to {row['high']})" if row["low"] else ""
        lines.append(f"| {row['what']} | {row['against']} | **{row['faster']}**{reach} | "
                     f"`{shlex.join(command(row, 'build'))}` | [{row['page']}](doc/algorithms/{row['page']}.md) |\n")
    return HEADING + "".join(lines)


def with_table(text, new):
    """A README's text with its table replaced."""
    begin = text.index(HEADING)
    end = begin
    while text.startswith("|", end):
        end = text.index("\n", end) + 1
    return text[:begin] + new + text[end:]


def measured(row, build):
    """Median, least and greatest of the row's claim in what its benchmark prints."""
    said = subprocess.run(command(row, build), cwd=os.path.dirname(BENCH), check=True, stdout=subprocess.PIPE, text=True).stdout
    print(said, flush=True)
    found = [line for line in csv.reader(said.splitlines()) if line and line[0] == row["claim"]]
    if len(found) != 1:
        sys.exit(f"gains.py: {row['command']}: {len(found)} lines of the claim \"{row['claim']}\"")
    return [f"{float(number):.3g}" for number in found[0][1:4]]


def measure(words, rows):
    for row in rows:
        if words.only not in row["what"]:
            continue
        if words.dry_run:
            print(shlex.join(command(row, words.measure)))
        else:
            row["faster"], row["low"], row["high"] = measured(row, words.measure)
            write(words.results, rows)


def write(path, rows):
    """Whole or not at all, so that a row that fails does not lose those before it."""
    with open(path + ".new", "w", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", default=os.path.join(BENCH, "gains.csv"))
    parser.add_argument("--readme", default=os.path.join(BENCH, "..", "README.md"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", metavar="BUILD", type=os.path.abspath)
    parser.add_argument("--only", default="", metavar="WORDS")
    parser.add_argument("--dry-run", action="store_true")
    words = parser.parse_args()
    with open(words.results, newline="") as file:
        rows = list(csv.DictReader(file))
    if words.measure:
        measure(words, rows)
    if words.dry_run:
        return
    with open(words.readme) as file:
        text = file.read()
    new = with_table(text, table(rows))
    if words.check and new != text:
        sys.exit(f"gains.py: the table of {words.readme} is not that of {words.results}: run bench/gains.py")
    if not words.check:
        with open(words.readme, "w") as file:
            file.write(new)


main()
