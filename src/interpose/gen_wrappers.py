#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes wrappers for the functions of a table: gen_wrappers.py calls.txt TEMPLATE > wrap_x.c

A template is C text; the lines between @each@ and @end@ are repeated for every function, with
  @name@        MPI_Comm_size              @lower@, @upper@    comm_size, COMM_SIZE
  @number@      its place in the table     @class@             what it may do: local, post, poll, wait, init, finalize
  @parameters@  int count, ...             @arguments@         count, ...
  @fortran_parameters@, @fortran_arguments@  the same for Fortran, where each is an address: A a1, A a2, ...
  @fortran_code@                Fortran's error code: a1, a2, ...
  @note@, @fortran_note@        what to tell src/interpose/traffic_hooks.h of a call that has gone well, or nothing
  @before@, @fortran_before@    what to tell it before the call, or nothing
  @world@, @fortran_world@      what puts another communicator into the place of MPI_COMM_WORLD, or nothing
  @after@, @fortran_after@      what to do with what a call has made, or nothing; Fortran's needs to know which interface
  @count@       outside a repeated part: how many functions the table has
The output depends on the two files alone, so it is the same from run to run and ships with the tarball."""
import re
import sys
from dataclasses import dataclass

CLASSES = ("local", "post", "poll", "wait", "init", "finalize")

C_TYPES = {
    "AINT": "MPI_Aint {}", "AINTS": "const MPI_Aint {}[]", "AINT_OUT": "MPI_Aint *{}",
    "ARGC": "int *{}", "ARGV": "char ***{}",
    "BUF": "void *{}", "BUF_IN": "const void *{}",
    "COMM": "MPI_Comm {}", "COMM_INOUT": "MPI_Comm *{}", "COMM_OUT": "MPI_Comm *{}",
    "COUNT": "int {}", "COUNTS": "const int {}[]", "DISPLS": "const int {}[]",
    "ERRHANDLER": "MPI_Errhandler {}", "ERRHANDLER_OUT": "MPI_Errhandler *{}",
    "FILE": "MPI_File {}", "FILE_OUT": "MPI_File *{}",
    "GROUP": "MPI_Group {}", "GROUP_OUT": "MPI_Group *{}",
    "INFO": "MPI_Info {}", "INFOS": "const MPI_Info {}[]", "INFO_OUT": "MPI_Info *{}",
    "INT": "int {}", "INTS": "const int {}[]", "INT_OUT": "int *{}", "INTS_OUT": "int {}[]",
    "MESSAGE": "MPI_Message *{}",
    "OFFSET": "MPI_Offset {}", "OFFSET_OUT": "MPI_Offset *{}",
    "OP": "MPI_Op {}",
    "RANK": "int {}", "ROOT": "int {}", "TAG": "int {}",
    "REQ": "MPI_Request *{}", "REQ_IN": "MPI_Request {}", "REQS": "MPI_Request {}[]",
    "STATUS": "MPI_Status *{}", "STATUSES": "MPI_Status {}[]",
    "TEXT": "const char *{}", "TEXT_OUT": "char *{}", "TEXTS": "char *{}[]", "TEXTS_OF": "char **{}[]",
    "TYPE": "MPI_Datatype {}", "TYPES": "const MPI_Datatype {}[]", "TYPE_OUT": "MPI_Datatype *{}",
    "WIN": "MPI_Win {}", "WIN_OUT": "MPI_Win *{}",
}
ONLY_IN_C = {"ARGC", "ARGV"}
WITH_HIDDEN_LENGTH = {"TEXT", "TEXT_OUT", "TEXTS", "TEXTS_OF"}  # Fortran compilers pass it behind all arguments


# What is noted of calls with these arguments, the first row that fits: its name and what it is told. A name that ends in
# _init makes a persistent request.
NOTES = [
    ("persistent", ["request:REQ", "dest:RANK", "comm:COMM", "count:COUNT", "datatype:TYPE"]),
    ("send", ["dest:RANK", "comm:COMM", "count:COUNT", "datatype:TYPE"]),
    ("send", ["dest:RANK", "comm:COMM", "sendcount:COUNT", "sendtype:TYPE"]),
    ("collective", ["comm:COMM", "count:COUNT", "datatype:TYPE"]),
    ("exchange", ["comm:COMM", "recvbuf:BUF"]),
]
NOTES_BY_NAME = {"MPI_Start": ("start", ["request"]), "MPI_Startall": ("startall", ["count", "requests"]),
                 "MPI_Barrier": ("exchange", ["comm"])}
# What is told before the call, of its first argument.
BEFORE = {"MPI_Comm_disconnect": "comm_free", "MPI_Comm_free": "comm_free", "MPI_Request_free": "request_free"}

# Whose MPI_COMM_WORLD stays itself, and who looks at another argument as well to know.
KEEP_WORLD = {"MPI_Abort"}
WORLD_WITH_KEY = {"keyval", "comm_keyval"}
SETS_ERRHANDLER = {"MPI_Comm_set_errhandler", "MPI_Errhandler_set"}


@dataclass
class Call:
    name: str
    number: int
    kind: str
    arguments: list  # of (name, KIND)

    def note(self):
        """The name of a note and the places of its arguments, or None."""
        given = [f"{name}:{kind}" for name, kind in self.arguments]
        names = [name for name, _ in self.arguments]
        if self.name in NOTES_BY_NAME:
            note, wanted = NOTES_BY_NAME[self.name]
            return note, [names.index(name) for name in wanted]
        for note, wanted in NOTES:
            receives = "source" in names and note in ("collective", "exchange")
            if (note == "persistent") == self.name.endswith("_init") and set(wanted) <= set(given) and not receives:
                return note, [given.index(argument) for argument in wanted]
        return None

    def world(self):
        """What replaces MPI_COMM_WORLD among the arguments, in C and in Fortran."""
        c, fortran = [], []
        for place, (name, kind) in enumerate(self.arguments, 1):
            if kind != "COMM" or self.name in KEEP_WORLD:
                continue
            key = [(n, p) for p, (n, _) in enumerate(self.arguments, 1) if n in WORLD_WITH_KEY]
            if self.name in SETS_ERRHANDLER:
                c.append(f"hs__world_errhandler({name}, errhandler)")
                fortran.append(f"hs__fortran_world_errhandler(a{place}, a{place + 1})")
            c.append(f"{name} = hs__world_with_key({name}, {key[0][0]})" if key else f"{name} = hs__world_of({name})")
            fortran.append(f"a{place} = hs__fortran_world_with_key(a{place}, a{key[0][1]})" if key
                           else f"a{place} = hs__fortran_world_of(a{place})")
        return "; ".join(c) or "(void)0", ", ".join(fortran) or "(void)0"

    def after(self):
        """What is done with a communicator whose maker may reorder, in C and in Fortran."""
        names = [name for name, _ in self.arguments]
        if "reorder" not in names:
            return "(void)0", "(void)0"
        reorder, made = names.index("reorder"), len(names) - 1
        return (f"hs__reorder_made(reorder, {names[made]})",
                f"hs__fortran_reorder_made(target.interface == HS__FORTRAN_MPIFH, a{reorder + 1}, a{made + 1})")

    def fields(self):
        given = [kind for _, kind in self.arguments if kind not in ONLY_IN_C]
        addresses = len(given) + 1 + sum(kind in WITH_HIDDEN_LENGTH for kind in given)  # 1: the error code
        note, places = self.note() or (None, [])
        names = [self.arguments[place][0] for place in places]
        return {
            "before": f"hs__traffic_hook_{BEFORE[self.name]}({self.arguments[0][0]})" if self.name in BEFORE else "(void)0",
            "fortran_before": f"hs__traffic_hook_fortran_{BEFORE[self.name]}(a1)" if self.name in BEFORE else "(void)0",
            "note": f"hs__traffic_hook_{note}({', '.join(names)})" if note else "(void)0",
            "fortran_note": f"hs__traffic_hook_fortran_{note}({', '.join(f'a{place + 1}' for place in places)})"
            if note else "(void)0",
            "world": self.world()[0], "fortran_world": self.world()[1],
            "after": self.after()[0], "fortran_after": self.after()[1],
            "fortran_code": f"a{len(given) + 1}",
            "name": self.name, "number": str(self.number), "class": self.kind,
            "lower": self.name[len("MPI_"):].lower(), "upper": self.name[len("MPI_"):].upper(),
            "parameters": ", ".join(C_TYPES[kind].format(name) for name, kind in self.arguments) or "void",
            "arguments": ", ".join(name for name, _ in self.arguments),
            "fortran_parameters": ", ".join(f"A a{n}" for n in range(1, addresses + 1)),
            "fortran_arguments": ", ".join(f"a{n}" for n in range(1, addresses + 1)),
        }


def fail(path, line, text):
    sys.exit(f"{path}:{line}: {text}")


def read_call(path, line, words, number):
    name, kind = words[0], words[1] if len(words) > 1 else "nothing"
    if not re.fullmatch(r"MPI_[A-Z][A-Za-z0-9_]*", name):
        fail(path, line, f"'{name}' is no MPI function")
    if kind not in CLASSES:
        fail(path, line, f"{name} may do '{kind}', expected one of {', '.join(CLASSES)}")
    arguments = [tuple(word.split(":", 1)) for word in words[2:]]
    for argument in arguments:
        if len(argument) != 2 or argument[1] not in C_TYPES:
            fail(path, line, f"{name}: '{':'.join(argument)}' is not name:KIND with a known kind")
    return Call(name, number, kind, arguments)


def read_calls(path):
    calls, seen = [], set()
    with open(path) as text:
        for line, row in enumerate(text, 1):
            words = row.split("#")[0].split()
            if not words:
                continue
            call = read_call(path, line, words, len(calls))
            if call.name in seen:
                fail(path, line, f"{call.name} stands there twice")
            seen.add(call.name)
            calls.append(call)
    return calls


def substitute(path, line, text, fields):
    def value(match):
        if match[1] not in fields:
            fail(path, line, f"'@{match[1]}@' means nothing here")
        return fields[match[1]]
    return re.sub(r"@(\w+)@", value, text)


def expand(path, calls):
    """Yields the output line by line."""
    once, block, begin = {"count": str(len(calls))}, None, 0
    with open(path) as text:
        for line, row in enumerate(text, 1):
            word = row.strip()
            if word == "@each@" and block is None:
                block, begin = [], line
            elif word == "@end@" and block is not None:
                for call in calls:
                    fields = call.fields()
                    yield from (substitute(path, begin + n, part, fields) for n, part in enumerate(block, 1))
                block = None
            elif block is not None:
                block.append(row)
            else:
                yield substitute(path, line, row, once)
    if block is not None:
        fail(path, begin, "@each@ without @end@")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: gen_wrappers.py calls.txt TEMPLATE")
    sys.stdout.writelines(list(expand(sys.argv[2], read_calls(sys.argv[1]))))


main()
