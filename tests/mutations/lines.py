# SPDX-License-Identifier: BSD-3-Clause
"""Which lines of some sources does a test run? Its program is linked with objects that have gcov's counters. What is found is kept
in a file for the next time, until a source or the test changes."""
import concurrent.futures
import hashlib
import json
import os
import subprocess


def digest(*paths):
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            found.update(file.read())
    return found.hexdigest()


def defined(path, *options):
    """The names of what an object or a program defines."""
    words = subprocess.run(["nm", "--defined-only", *options, path], capture_output=True, text=True, check=True).stdout.split()
    return set(words[2::3])


def counters(target):
    """Of an object, the file that its counters are added to."""
    return f"{target[:-len('.o')]}.gcda"


class Lines:
    def __init__(self, top, folder, sources, compile_file, path):
        """@param compile_file: takes flags, a source and the name of its object
        @param path: of the file, or None"""
        self.top, self.folder, self.sources, self.compile_file, self.path = top, folder, sources, compile_file, path
        self.objects, self.names = None, None
        self.kept = {"sources": digest(*(f"{top}/{source}" for source in sources)), "shapes": {}, "tests": {}}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["sources"] == self.kept["sources"]:
                self.kept = kept

    def known(self, test):
        """What is kept of a test: its time, whether it passes, and its lines; None where it has changed."""
        found = self.kept["tests"].get(test)
        return found if found and found["digest"] == self.digest_of(test) else None

    def digest_of(self, test):
        """Of the script, or the program's source."""
        path = f"{self.top}/{test}"
        return digest(path if os.path.exists(path) else f"{os.path.splitext(path)[0]}.c")

    def compile(self):
        flags = ["-Og", "--coverage", "-include", f"{self.top}/tests/coverage/exit.h"]
        self.objects = {source: f"{self.folder}/{source[:-len('.c')]}.o" for source in self.sources}

        def compile_one(source):
            os.makedirs(os.path.dirname(self.objects[source]), exist_ok=True)
            more = [*flags, f"-I{self.top}/{os.path.dirname(source)}"]
            return self.compile_file(more, f"{self.top}/{source}", self.objects[source])

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
            compiled = dict(zip(self.sources, executor.map(compile_one, self.sources)))
        names = {source: defined(self.objects[source], "--extern-only") for source in self.sources if compiled[source]}
        self.names = {source: found for source, found in names.items() if found != {"main"}}  # which says nothing of whose it is
        subprocess.run(["chmod", "-R", "a+rwX", self.folder], check=True)  # some tests run programs as another user

    def parts(self, program):
        """Of a program without counters, {source: object with counters}."""
        if self.objects is None:
            self.compile()
        there = defined(program)
        return {source: self.objects[source] for source, names in self.names.items() if names <= there}

    def reset(self, parts):
        """Empty files, which every user may write."""
        for target in parts.values():
            with open(counters(target), "w", encoding="utf-8") as file:
                os.chmod(file.fileno(), 0o666)

    def keep(self, test, parts, seconds, passed):
        """What the programs of a test have counted since reset()."""
        unknown = [source for source in self.sources if source not in self.names] if parts else self.sources
        self.kept["tests"][test] = {"digest": self.digest_of(test), "seconds": seconds, "passed": passed,
                                    "linked": [*parts, *unknown], "ran": self.read(parts)}
        if self.path:
            with open(f"{self.path}.new", "w", encoding="utf-8") as file:
                json.dump(self.kept, file)
            os.rename(f"{self.path}.new", self.path)

    def read(self, parts):
        """Of each source with counts, the lines that ran."""
        counted = [counters(target) for target in parts.values() if os.path.getsize(counters(target))]
        if not counted:
            return {}
        output = subprocess.run(["gcov", "--json-format", "--stdout", *counted], capture_output=True, text=True, check=True).stdout
        ran = {}
        for file in (file for document in output.splitlines() for file in json.loads(document)["files"]):
            source = os.path.relpath(file["file"], self.top)
            if source in parts:
                self.kept["shapes"][source] = {"functions": [(f["start_line"], f["end_line"]) for f in file["functions"]],
                                               "lines": sorted({entry["line_number"] for entry in file["lines"]})}
                ran[source] = sorted({entry["line_number"] for entry in file["lines"] if entry["count"]})
        return ran

    def may_run(self, test, source, line):
        """Whether a test ran a line, or may have: nothing is known of lines in no function, and of processes that were killed."""
        kept = self.known(test)
        if not kept or source not in kept["ran"]:
            return not kept or source in kept["linked"]
        shape = self.kept["shapes"][source]
        start = max((first for first, last in shape["functions"] if first <= line <= last), default=None)
        before = [n for n in shape["lines"] if start and start <= n <= line]
        return not before or before[-1] in kept["ran"][source]
