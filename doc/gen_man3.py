#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes section 3 of the manual from the public headers: gen_man3.py FOLDER VERSION HEADER.h ...

A page is a documented block of declarations; functions declared together share one, and those after the first lead to it. It
has the block's comment and the public types that the declarations name. A function without a comment is complained of, which
tests/doc/reference.sh does not allow. FOLDER gets the pages and `list`, their names. The output ships with the tarball."""
import os
import re
import sys

# What a header is made of, as far as the manual goes.
PIECE = re.compile(r"(?P<doc>/\*\*.*?\*/\n?)|(?P<comment>/\*.*?\*/)|(?P<skip>#[^\n]*(?:\\\n[^\n]*)*)"
                   r"|(?P<function>HS_API\s[^;]*;(?:[ \t]*/\*[^*].*?\*/)?)"
                   r"|(?P<type>typedef (?:struct|enum) \w+ \{(?:[^{}]|\{[^{}]*\})*\} \w+;|typedef [^;{]*;)|(?P<gap>\n[ \t]*\n)", re.S)
HEADING = re.compile(r"(Model|Source|Guarantee|Scope|Differs|Cost|Method|Memory): +(.*)")


class Block:
    """Declarations that stand together, and the comment above them."""

    def __init__(self, header, doc):
        self.header, self.doc, self.functions = header, doc, []

    def names(self):
        return [re.search(r"(hs_\w+)\(", function).group(1) for function in self.functions]


def parse(path):
    """The blocks of a header, and its types by name as (comment, text)."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    header, doc, block, blocks, types = os.path.basename(path), None, None, [], {}
    for match in PIECE.finditer(text):
        kind, piece = match.lastgroup, match.group()
        if kind == "doc":
            doc, block = piece, None
        elif kind == "type":
            named = re.search(r"\(\*(\w+)\)|(\w+);$", piece)
            types[named.group(1) or named.group(2)] = (doc, piece)
            doc, block = None, None
        elif kind == "gap":
            doc, block = (None, None) if block else (doc, None)
        elif kind == "function":
            if block is None:
                if doc is None:
                    print(f"{path}: no comment above {piece.splitlines()[0]}", file=sys.stderr)
                    doc = f"/** A function of {header}. */"
                block = Block(header, doc)
                blocks.append(block)
            block.functions.append(re.sub(r"^HS_API |(?<=\n) {7}", "", piece))
    return blocks, types


def lines_of(doc):
    """A comment's lines without its frame."""
    inner = re.sub(r"\s*\*/\s*$", "", doc[3:])
    return [re.sub(r"^ ?\* ?", "", line).rstrip() for line in inner.strip().split("\n")]


def escaped(text):
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"))


def verbatim(text):
    return [".nf"] + [escaped(line) for line in text.split("\n")] + [".fi"]


def parameter(line):
    """The tag and the text of a line with @param."""
    direction, rest = re.match(r"@param(?:\[([a-z,]+)\])? +(.*)", line).groups()
    names, text = (re.split(r" {2,}", rest, maxsplit=1) + [""])[:2] if "  " in rest else rest.split(" ", 1)
    return f'.IR "{names}"' + (f' " ({direction})"' if direction else ""), text


def sections(doc):
    """The first sentence, and the lines of each section."""
    description, parameters, result = [], [], []
    lines, into = lines_of(doc), description
    for line in lines:
        heading = HEADING.match(line.lstrip())
        if line.startswith("@param"):
            tag, text = parameter(line)
            into = parameters
            into += [".TP", tag, escaped(text)]
        elif line.startswith("@return"):
            into = result
            into.append(escaped(line[len("@return "):]))
        elif heading and into is description:
            into += [".TP", f".B {heading.group(1)}", escaped(heading.group(2))]
        elif line.strip():
            into.append(escaped(line.strip()))
        elif into is description:
            into.append(".PP")
    summary = re.match(r"(.*?)(?:\.(?=\s|$)|$)", " ".join(re.split(r"\n\n|\n@", "\n".join(lines))[0].split())).group(1)
    return summary, description, parameters, result


def types_section(block, types):
    """The types that the declarations name, and those within these. Of a type without members there is nothing to say."""
    lines, todo, seen = [], " ".join(block.functions), set()
    while True:
        name = next((word for word in re.findall(r"\bhs_\w+", todo) if word in types and word not in seen), None)
        if name is None:
            return lines
        doc, text = types[name]
        seen.add(name)
        if "{" in text and "HS_STATUS_LIST" not in text:
            lines += [".PP"] + [escaped(line.strip()) for line in lines_of(doc or "/** */") if line.strip()] + verbatim(text)
            todo += " " + text


def page(block, types, version):
    names = block.names()
    summary, description, parameters, result = sections(block.doc)
    lines = [f'.TH {names[0]} 3 "" "heteroslice {version}" "HeteroSlice\'s functions"', ".SH NAME",
             escaped(", ".join(names)).replace("\\&", "") + " \\- " + escaped(summary), ".SH SYNOPSIS"]
    lines += verbatim(f"#include <heteroslice/{block.header}>\n\n" + "\n".join(block.functions))
    lines += [".SH DESCRIPTION"] + description
    for title, text in (("PARAMETERS", parameters), ("RETURN VALUE", result), ("TYPES", types_section(block, types))):
        if text:
            lines += [f".SH {title}" if " " not in title else f'.SH "{title}"'] + text
    return "\n".join(lines + [".SH SEE ALSO", ".BR hs (1), ", f".I {block.header}"]) + "\n"


def main():
    folder, version, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    blocks, types = [], {}
    for path in paths:
        new_blocks, new_types = parse(path)
        blocks += new_blocks
        types.update(new_types)
    pages = {}
    for block in blocks:
        names = block.names()
        pages[names[0]] = page(block, types, version)
        for name in names[1:]:
            pages[name] = f".so man3/{names[0]}.3\n"
    os.makedirs(folder, exist_ok=True)
    for name, text in pages.items():
        with open(f"{folder}/{name}.3", "w", encoding="utf-8") as file:
            file.write(text)
    with open(f"{folder}/list", "w", encoding="utf-8") as file:
        file.writelines(f"{name}.3\n" for name in sorted(pages))


main()
