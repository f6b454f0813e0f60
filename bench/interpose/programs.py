#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Any MPI programs, bare and preloaded in turn: do they say and end the same, and how long do they take? Prints CSV.

usage: programs.py BUILD_DIR [--pairs N] [--budget S] [--limit R] [--figure REGEX] [--setting NAME=VALUE]... [--timeout S]
                   [--again N] (--list FILE | --suite FOLDER | -- RANKS COMMAND...)

FILE has one program a line: RANKS COMMAND, by the shell's rules for quotes; # begins a comment. FOLDER is one where MPICH's own tests
(test/mpi of its sources), or some of their folders, were built, with the MPI library of the build. status: exit status of the
first bare and the first preloaded run; output, lines being sorted: same, differs, or varies, where bare runs differ among
themselves. ratio: of wall-clock seconds of whole runs, the median over the pairs with its 95 % interval; with --figure of the
number that REGEX finds in the output, seconds or such. With --budget, programs that are not told from the limit get more than N
pairs, as in oversubscribed.py. With --pairs 0 every program is run once each way and not measured. Programs that are wrong on
purpose may end differently each time: with --again a program that ends or says something else preloaded is run up to N more times each way, until a preloaded
run is as a bare one was; every other of these bare runs has an empty library preloaded, since what a program reads that it
never set depends on what was loaded before it. The exit status is 1 when one ends differently preloaded."""
import argparse
import csv
import os
import re
import shlex
import statistics
import sys
import time

from paired import LEAST, Launcher, Row, Usage, measure_all


class Program:
    def __init__(self, launcher, words, ranks, command):
        self.launcher, self.words, self.ranks, self.command = launcher, words, ranks, command
        self.folder = os.path.dirname(command[0]) or "."

    def run(self, preloaded, empty=False):
        """Exit status, sorted lines of output, seconds or the figure; None when there is none."""
        begun = time.monotonic()
        ended = self.launcher.run(self.ranks, self.command, self.words.setting if preloaded else None, self.words.timeout, empty,
                                  cwd=self.folder)
        seconds = time.monotonic() - begun
        if self.words.figure:
            found = re.findall(self.words.figure, ended.stdout)
            seconds = float(found[-1]) if found else None
        return ended.returncode, sorted(ended.stdout.splitlines()), seconds

    def compare(self, again):
        """Exit statuses, bare and preloaded, and how the outputs compare: of the first runs that are alike, else of the last."""
        bare, preloaded = [], []
        for k in range(1 + again):
            bare.append(self.run(False, empty=k % 2 == 1)[:2])
            preloaded.append(self.run(True)[:2])
            for status, output in bare:
                if (status, output) in preloaded:
                    return status, status, "same"
        outputs = [output for _, output in bare]
        varies = any(output != outputs[0] for output in outputs)
        return bare[-1][0], preloaded[-1][0], "varies" if varies else "same" if outputs[0] == preloaded[-1][1] else "differs"

    def measure(self, preloaded):
        status, _, seconds = self.run(preloaded)
        return seconds if status == 0 else None

    def name(self):
        return " ".join([os.path.basename(self.folder), os.path.basename(self.command[0]), *self.command[1:]])


def programs_of_suite(folder):
    """What was built there. A line of a testlist is PROGRAM [RANKS [KEY=VALUE ...]]; those with variables set MPICH's own."""
    for place, _, files in sorted(os.walk(folder)):
        for line in open(os.path.join(place, "testlist")) if "testlist" in files else ():
            words = line.partition("#")[0].split()
            keys = [word.partition("=") for word in words[2:]]
            program = os.path.join(os.path.abspath(place), words[0]) if words else ""
            if os.path.isfile(program) and not any(key == "env" for key, _, _ in keys):
                yield int(words[1]) if len(words) > 1 else 2, [program, *(value for key, _, value in keys if key == "arg")]


def parse():
    own, _, command = "\0".join(sys.argv[1:]).partition("\0--\0")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--pairs", type=int, default=LEAST)
    parser.add_argument("--budget", type=float, default=0, help="seconds for more pairs")
    parser.add_argument("--limit", type=float, default=1.05)
    parser.add_argument("--figure", default="")
    parser.add_argument("--setting", action="append", default=[])
    parser.add_argument("--timeout", type=int, default=600, help="seconds a run may take")
    parser.add_argument("--again", type=int, default=0, help="more runs of programs that differ")
    parser.add_argument("--list", default="")
    parser.add_argument("--suite", default="")
    words = parser.parse_args(own.split("\0"))
    if [words.list, words.suite, command].count("") != 2:
        parser.error("expected one of --list FILE, --suite FOLDER and -- RANKS COMMAND")
    if words.suite:
        return words, list(programs_of_suite(words.suite))
    lines = [command.split("\0")] if command else [shlex.split(line, comments=True) for line in open(words.list)]
    return words, [(int(line[0]), line[1:]) for line in lines if line]


def main():
    words, lines = parse()
    launcher, usage, different, rows = Launcher(words.build), Usage(), 0, []
    out = csv.writer(sys.stdout)
    out.writerow("program ranks pairs status output bare_seconds seconds ratio low high verdict".split())
    for ranks, command in lines:
        program = Program(launcher, words, ranks, command)
        bare, on, output = program.compare(words.again)
        different += bare != on
        name = [program.name(), ranks, f"{bare}/{on}", output]
        row = Row(name, program.measure)
        for _ in range(words.pairs if bare == on == 0 else 0):
            if not row.is_broken:
                row.add_pair()
        rows.append(row)
        if words.budget == 0:
            write(out, row, words.limit)
    if words.budget > 0:
        failed = [row for row in rows if not row.bare]
        for row in [*failed, *measure_all([row for row in rows if row.bare], words.limit, words.budget)]:
            write(out, row, words.limit)
    print(f"# {len(rows)} programs, {different} end differently, others used {usage.others():.2f} of the machine")
    sys.exit(different > 0)


def write(out, row, limit):
    program, ranks, status, output = row.name
    figures = []
    if row.bare:
        figures = [f"{statistics.median(row.bare):.4f}", f"{statistics.median(row.preloaded):.4f}",
                   *(f"{x:.3f}" for x in row.interval()), row.verdict(limit)]
    out.writerow([program, ranks, len(row.bare), status, output, *figures])
    sys.stdout.flush()


main()
