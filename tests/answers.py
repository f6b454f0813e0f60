#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""answers.py [--accept | --first] FILE...: are the answers of commands those that a file has?

A file is a transcript: a line "$ COMMAND", which the shell runs in the folder of the sources, then what the command printed, and
"[exit STATUS]" where that was not 0. Numbers agree to six digits, all else has to be the same. --accept writes what is printed
today into the files instead, to be read as a change of the product before it is committed; --first ends at the first answer that
differs."""
import argparse
import math
import os
import re
import subprocess
import sys

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\d.])")


def transcript(path):
    """Of a file, every (command, answer)."""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^\$ (.*)\n", file.read(), flags=re.M)
    return parts[0], list(zip(parts[1::2], parts[2::2]))


def answer(command):
    result = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                            cwd=os.environ.get("HS_TEST_SRCDIR", "."), text=True, check=False)
    return result.stdout + (f"[exit {result.returncode}]\n" if result.returncode else "")


def differs(expected, got):
    """The first place where two answers differ, or None."""
    tokens = [(NUMBER.split(text), NUMBER.findall(text)) for text in (expected, got)]
    (words, numbers), (other_words, other_numbers) = tokens
    for k, (a, b) in enumerate(zip(words, other_words)):
        if a != b:
            return f"'{b[:200]}' instead of '{a[:200]}'"
        if k < min(len(numbers), len(other_numbers)) and not math.isclose(float(numbers[k]), float(other_numbers[k]), rel_tol=1e-6,
                                                                          abs_tol=1e-12):
            return f"{other_numbers[k]} instead of {numbers[k]}, after '{a[-100:]}'"
    return None if len(words) == len(other_words) else "one is longer"


def accept(path):
    head, questions = transcript(path)
    text = head + "".join(f"$ {command}\n{answer(command)}" for command, _ in questions)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def differences(path):
    for command, expected in transcript(path)[1]:
        difference = differs(expected, answer(command))
        if difference:
            yield f"{os.path.basename(path)}: {command}: {difference}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("files", nargs="+", metavar="FILE")
    words = parser.parse_args()
    failed = False
    for path in words.files:
        if words.accept:
            accept(path)
            continue
        for difference in differences(path):
            print(difference)
            if words.first:
                sys.exit(1)
            failed = True
    sys.exit(failed)


main()
