# SPDX-License-Identifier: BSD-3-Clause
"""Finds old names in file names and identifiers of the sources, by the list words.txt beside this file.

Comments and texts are not searched: there the words are ordinary English.

    python3 words.py SOURCE_FOLDER
"""
import fnmatch
import os
import re
import sys

FOLDERS = ("src", "include", "tests", "apps", "bench", "examples")
ENDINGS = (".c", ".h", ".in", ".cc", ".F90", ".py", ".sh")
LIST = os.path.join("tests", "doc", "words")
STYLE = "the field's terms: tests/doc/words.txt"

# A comment or a text, by the ending of the file. Line ends inside stay, so that line numbers are right.
C_HIDDEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
FORTRAN_HIDDEN = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|![^\n]*')
SCRIPT_HIDDEN = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|\'[^\']*\'|#[^\n]*')


def read_rules(path):
    rules = {"word": {}, "name": [], "file": {}, "code": []}
    for line in open(path, encoding="utf-8"):
        row = re.match(r"(word|file)\s+(\S+)\s+(.*)|(name)\s+(\S+)\s+(.*)|(code)\s+(\S+)\s+(.*)", line)
        if row:
            kind, old, new = (field for field in row.groups() if field)
            if isinstance(rules[kind], dict):
                rules[kind][old] = new
            else:
                pattern = re.compile(old if kind == "code" else fnmatch.translate(old))
                rules[kind].append((pattern, new))
    return rules


def code_of(path):
    text = open(path, encoding="utf-8").read()
    hidden = C_HIDDEN if path.endswith((".c", ".h", ".in", ".cc")) else FORTRAN_HIDDEN if path.endswith(".F90") else SCRIPT_HIDDEN
    return hidden.sub(lambda match: " " + "\n" * match[0].count("\n"), text)


def old_words(name, rules):
    return [(word, rules["word"][word]) for word in name.lower().split("_") if word in rules["word"]]


def check_name(path, rules):
    stem = os.path.basename(path).split(".")[0]
    found = old_words(stem, rules)
    if stem in rules["file"]:
        found.append((stem, rules["file"][stem]))
    return [f"{path}: '{old}' is {new} ({STYLE})" for old, new in found]


def check_code(path, source, rules):
    problems = []
    for number, line in enumerate(code_of(os.path.join(source, path)).split("\n"), 1):
        found = []
        for name in re.findall(r"[A-Za-z_]\w*", line):
            found += old_words(name, rules)
            found += [(name, new) for pattern, new in rules["name"] if pattern.match(name)]
        found += [(match[0], new) for pattern, new in rules["code"] for match in pattern.finditer(line)]
        problems += [f"{path}:{number}: '{old}' is {new} ({STYLE})" for old, new in dict.fromkeys(found)]
    return problems


def main():
    source = sys.argv[1]
    rules = read_rules(os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.txt"))
    problems, files = [], 0
    for folder in FOLDERS:
        for where, _, names in os.walk(os.path.join(source, folder)):
            for path in sorted(os.path.relpath(os.path.join(where, name), source) for name in names):
                if path.endswith(ENDINGS) and not path.startswith(LIST):
                    files += 1
                    problems += check_name(path, rules) + check_code(path, source, rules)
    print("\n".join(problems) or f"{files} files have no old names")
    return 1 if problems or not files else 0


sys.exit(main())
