#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual pages as text in a C table: gen_help.py PAGE.1 ... > help_pages.c

Only the macros and escapes that doc/man uses are known; another one is an error, so that no page is shown half. NAME and SYNOPSIS are
left out: hs prints the verb's summary and usage from its own table. The output ships with the tarball."""
import re
import sys
import textwrap

WIDTH, STEP = 80, 4
FONTS = {"B", "I", "BR", "RB", "BI", "IB", "IR", "RI"}
ESCAPES = {"-": "-", "(dq": '"', "(lq": '"', "(rq": '"', "e": "\\", "&": "", " ": " ", "fB": "", "fI": "", "fR": "", "fP": ""}


def meaning(escape):
    if escape.group(1) not in ESCAPES:
        raise SystemExit(f"gen_help.py: {escape.group()} is not known")
    return ESCAPES[escape.group(1)]


def plain(text):
    return re.sub(r"\\(\(..|f.|.|$)", meaning, text)


def arguments(text):
    """The arguments of a macro: words, or what stands between double quotes."""
    return [quoted if quoted is not None else word for quoted, word in
            ((m.group(1), m.group(2)) for m in re.finditer(r'"((?:[^"])*)"|(\S+)', text))]


class Page:
    def __init__(self):
        self.lines, self.words = [], []
        self.indent, self.hang, self.tag, self.want_tag, self.verbatim = STEP, STEP, None, False, False

    def flush(self):
        text, self.words = " ".join(self.words), []
        if self.tag is not None:
            tag, self.tag = " " * (self.hang - STEP) + self.tag, None
            if text and len(tag) < self.hang:
                self.lines += textwrap.wrap(text, WIDTH, initial_indent=tag.ljust(self.hang),
                                            subsequent_indent=" " * self.hang, break_on_hyphens=False)
                return
            self.lines.append(tag)
        if text:
            self.lines += textwrap.wrap(text, WIDTH, initial_indent=" " * self.hang, subsequent_indent=" " * self.hang,
                                        break_long_words=False, break_on_hyphens=False)

    def space(self):
        """A blank line, unless there is one or a heading."""
        if self.lines and self.lines[-1].startswith(" " * STEP):
            self.lines.append("")

    def text(self, text):
        if self.verbatim:
            self.lines.append(" " * self.hang + text if text else "")
        elif self.want_tag:
            self.tag, self.want_tag = text, False
        else:
            self.words.append(text.strip())

    def macro(self, name, rest):
        given = [plain(a) for a in arguments(rest)]
        if name in FONTS:
            self.text(("" if len(name) == 2 else " ").join(given))
        elif name in ("SH", "SS"):
            self.flush()
            self.space()
            self.want_tag, self.indent, self.hang = False, STEP, STEP
            self.lines.append(" ".join(given) if name == "SH" else "  " + " ".join(given))
        elif name in ("PP", "IP", "TP", "TQ"):
            self.flush()
            if name != "TQ":
                self.space()
            self.hang = self.indent + (STEP if name != "PP" else 0)
            self.want_tag = name in ("TP", "TQ")
        elif name in ("RS", "RE"):
            self.flush()
            self.indent += STEP if name == "RS" else -STEP
            self.hang = self.indent
        elif name in ("nf", "fi"):
            self.flush()
            self.verbatim = name == "nf"
        elif name == "br":
            self.flush()
        elif name != "TH":
            raise SystemExit(f"gen_help.py: .{name} is not known")

    def read(self, path):
        with open(path, encoding="utf-8") as page:
            for line in page:
                line = line.rstrip("\n")
                if line in (".", "") or line.startswith('.\\"'):
                    if not line and self.verbatim:
                        self.lines.append("")
                    continue
                macro = re.match(r"\.([A-Za-z]+)\s*(.*)", line)
                if macro and not (self.verbatim and macro.group(1) not in FONTS | {"fi"}):
                    self.macro(*macro.groups())
                else:
                    self.text(plain(line))
        self.flush()
        return self


def without(lines, *sections):
    keep, out = True, []
    for line in lines:
        if line and not line.startswith(" "):
            keep = line not in sections
        if keep:
            out.append(line)
    return out


def main(paths):
    print("/* SPDX-License-Identifier: BSD-3-Clause */\n/* Written by gen_help.py from doc/man. */\n"
          '#include "cli/base/help.h"\n#include <stddef.h>\n')
    names = []
    for path in paths:
        page = path.rsplit("/", 1)[-1]
        name = page[:-2].removeprefix("hs-").replace("-", "_")
        names.append((name, page))
        print(f"static const char *const {name}_page[] = {{")
        for line in without(Page().read(path).lines, "NAME", "SYNOPSIS"):
            escaped = line.replace("\\", "\\\\").replace('"', '\\"')
            print(f'    "{escaped}",')
        print("    NULL,\n};\n")
    print("const cli_page cli_pages[] = {")
    for name, page in sorted(names):
        print(f'    {{"{name}", "{page}", {name}_page}},')
    print("    {NULL, NULL, NULL},\n};")


main(sys.argv[1:])
