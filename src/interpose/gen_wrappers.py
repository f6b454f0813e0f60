#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes wrappers for the functions of a table: gen_wrappers.py calls.txt TEMPLATE > wrap_x.c

A template is C text; the lines between @each@ and @end@ are repeated for every function. A line is left out where its
words stand for nothing. The words are
  @name@, @lower@, @upper@      MPI_Comm_size, comm_size, COMM_SIZE; of MPI_Send_c: MPI_Send_c, send, SEND
  @number@, @class@             its place in the table, and what it may do: local, post, poll, wait, init, finalize
  @if@, @endif@                 around a function that not every MPI library has
  @interfaces@                  which of Fortran's interfaces have it: FORTRAN, or FORTRAN_LARGE of MPI_Send_c
  @parameters@, @arguments@     int count, ... and count, ...; by Fortran's addresses A a1, A a2, ... and a1, a2, ...
  @fortran_code@                Fortran's error code: a1, a2, ...
  @world@                       what puts another communicator into the place of MPI_COMM_WORLD
  @before@, @note@              what to tell src/runtime/watch/traffic.h before the call, and when it has gone well
  @after@                       what to do with what a call has made; Fortran's needs to know which interface
and the same for Fortran @fortran_...@. A function whose counts are int has a large twin, which follows it. The output
depends on the two files alone, and ships with the tarball."""
import re
import sys
from dataclasses import dataclass, replace

CLASSES = ("local", "post", "poll", "wait", "init", "finalize")

C_TYPES = {
    "AINT": "MPI_Aint {}", "AINTS": "const MPI_Aint {}[]", "AINT_OUT": "MPI_Aint *{}", "ARGC": "int *{}",
    "ARGV": "char ***{}", "BUF": "void *{}", "BUF_IN": "const void *{}", "COMM": "MPI_Comm {}", "COMM_INOUT": "MPI_Comm *{}",
    "COMM_OUT": "MPI_Comm *{}", "COUNT": "int {}", "COUNTS": "const int {}[]", "COUNT_OUT": "int *{}",
    "DISPLS": "const int {}[]", "DISP_UNIT": "int {}", "DISP_UNIT_OUT": "int *{}", "ERRHANDLER": "MPI_Errhandler {}",
    "ERRHANDLER_OUT": "MPI_Errhandler *{}", "EXTENT_OUT": "MPI_Aint *{}", "FILE": "MPI_File {}",
    "FILE_OUT": "MPI_File *{}", "GROUP": "MPI_Group {}", "GROUP_OUT": "MPI_Group *{}", "INFO": "MPI_Info {}",
    "INFOS": "const MPI_Info {}[]", "INFO_OUT": "MPI_Info *{}", "INT": "int {}", "INTS": "const int {}[]",
    "INT_OUT": "int *{}", "INTS_OUT": "int {}[]", "MESSAGE": "MPI_Message *{}", "OFFSET": "MPI_Offset {}",
    "OFFSET_OUT": "MPI_Offset *{}", "OP": "MPI_Op {}", "PARTITION": "MPI_Count {}", "PARTITIONS": "partition_number {}[]",
    "RANK": "int {}", "ROOT": "int {}", "TAG": "int {}",
    "REQ": "MPI_Request *{}", "REQ_IN": "MPI_Request {}", "REQS": "MPI_Request {}[]", "REQS_IN": "given_request {}[]",
    "SESSION": "MPI_Session {}",
    "SESSION_OUT": "MPI_Session *{}", "STATUS": "MPI_Status *{}",
    "STATUSES": "MPI_Status {}[]", "TEXT": "const char *{}", "TEXT_OUT": "char *{}", "TEXTS": "char *{}[]",
    "TEXTS_OF": "char **{}[]", "TYPE": "MPI_Datatype {}", "TYPES": "const MPI_Datatype {}[]", "TYPE_OUT": "MPI_Datatype *{}",
    "WIN": "MPI_Win {}", "WIN_OUT": "MPI_Win *{}",
}
LARGE_TYPES = {  # in MPI_X_c; a function that has one of these kinds has such a twin
    "COUNT": "MPI_Count {}", "COUNTS": "const MPI_Count {}[]", "COUNT_OUT": "MPI_Count *{}", "DISPLS": "const MPI_Aint {}[]",
    "DISP_UNIT": "MPI_Aint {}", "DISP_UNIT_OUT": "MPI_Aint *{}", "EXTENT_OUT": "MPI_Count *{}",
}
# The last word of a row of calls.txt, for functions that MPI-3 lacks, and the condition for their wrappers.
SINCE = {"MPI-4": "HS__HAS_MPI4", "MPI-4.1": "HS__HAS_MPI41"}
NOTHING = ("", "(void)0")  # in C, where its line is left out, and in Fortran
ONLY_IN_C = {"ARGC", "ARGV"}
WITH_HIDDEN_LENGTH = {"TEXT", "TEXT_OUT", "TEXTS", "TEXTS_OF"}  # Fortran compilers pass it after all arguments

# What a call does after success, so that traffic.h counts its message: the first row whose arguments it has.
SEND, COLLECTIVE = "hs__traffic_send({comm}, {dest}, {%s}, {%s})", "hs__traffic_send({comm}, HS__TO_ALL, %s, %s)"
EXCHANGE = COLLECTIVE % ("0", "MPI_DATATYPE_NULL")  # no single count tells its size
NOTES = [
    ("dest:RANK comm:COMM count:COUNT datatype:TYPE", SEND % ("count", "datatype")),
    ("dest:RANK comm:COMM sendcount:COUNT sendtype:TYPE", SEND % ("sendcount", "sendtype")),
    ("comm:COMM count:COUNT datatype:TYPE", COLLECTIVE % ("{count}", "{datatype}")),
    ("comm:COMM recvbuf:BUF", EXCHANGE),
]
# The same for persistent requests: functions whose name ends in _init.
PERSISTENT = [
    ("partitions:INT dest:RANK", "hs__traffic_persistent({request}, {comm}, {dest}, {partitions} * {count}, {datatype})"),
    ("dest:RANK", "hs__traffic_persistent({request}, {comm}, {dest}, {count}, {datatype})"),
    ("comm:COMM count:COUNT", "hs__traffic_persistent({request}, {comm}, HS__TO_ALL, {count}, {datatype})"),
    ("comm:COMM", "hs__traffic_persistent({request}, {comm}, HS__TO_ALL, 0, MPI_DATATYPE_NULL)"),
]
NOTES_BY_NAME = {"MPI_Barrier": EXCHANGE, "MPI_Ibarrier": EXCHANGE, "MPI_Start": "hs__traffic_start_request({request})",
                 "MPI_Startall": "for (int k = 0; k < {count}; k++) hs__traffic_start_request({requests})"}
# What a wrapper does before the call: forget a handle that is freed, or begin or end a session.
BEFORE = {"MPI_Comm_disconnect": "(hs__traffic_forget_comm({comm}), hs__session_forget_comm({comm}, 1))",
          "MPI_Comm_free": "(hs__traffic_forget_comm({comm}), hs__session_forget_comm({comm}, 0))",
          "MPI_Request_free": "hs__traffic_forget_request({request})", "MPI_Session_init": "hs__session_begin()",
          "MPI_Session_finalize": "hs__session_end({session})"}
# What a wrapper does after a call that has succeeded.
AFTER = {"MPI_Comm_create_from_group": "hs__session_made_comm({newcomm})", "MPI_Comm_set_name": "hs__traffic_name_comm({comm})",
         "MPI_Session_init": "hs__session_started({session})"}
# An expression for an argument's value, in C and from the address that Fortran passes; of an array, element k.
VALUES = {"COMM": ("{}", "fortran_comm({})"), "COMM_INOUT": ("*{}", "fortran_comm({})"), "COMM_OUT": ("*{}", "fortran_comm({})"),
          "SESSION_OUT": ("*{}", "fortran_session({})"), "COUNT": ("{}", "fortran_int({})"),
          "RANK": ("{}", "fortran_int({})"), "REQ": ("*{}", "fortran_request({}, 0)"),
          "REQS": ("{}[k]", "fortran_request({}, k)"), "TYPE": ("{}", "fortran_type({})"), "INT": ("{}", "fortran_int({})"),
          "PARTITION": ("{}", "fortran_count({})")}
# Functions for which MPI_COMM_WORLD is never replaced, and arguments that decide whether it is.
KEEP_WORLD = {"MPI_Abort"}
WORLD_WITH_KEY = {"keyval", "comm_keyval"}
SETS_ERRHANDLER = {"MPI_Comm_set_errhandler", "MPI_Errhandler_set"}


@dataclass
class Call:
    name: str
    number: int
    kind: str
    since: str
    arguments: list  # of (name, KIND)
    large: bool = False  # MPI_X_c

    def twins(self):
        """The call, and its large twin if it has one."""
        return [self, replace(self, large=True)] if any(kind in LARGE_TYPES for _, kind in self.arguments) else [self]

    def stem(self):
        return self.name[len("MPI_"):].lower()

    def condition(self):
        return "HS__HAS_LARGE" if self.large and self.since != "MPI-4.1" else SINCE.get(self.since, "")

    def note(self):
        """The statement that counts its message, with the names of arguments in braces, or None."""
        given = {f"{name}:{kind}" for name, kind in self.arguments}
        notes = PERSISTENT if self.name.endswith("_init") else NOTES
        fitting = [note for wanted, note in notes if set(wanted.split()) <= given]
        receives = "source:RANK" in given and "dest:RANK" not in given
        return NOTES_BY_NAME.get(self.name, fitting[0] if fitting and not receives else None)

    def told(self, text):
        """A statement with the values of arguments put in, in C and in Fortran."""
        values = {**VALUES, "COUNT": VALUES["PARTITION"]} if self.large else VALUES
        c, fortran = ({name: values[kind][language].format((name, f"a{place}")[language]) for place, (name, kind)
                       in enumerate(self.arguments, 1) if kind in values} for language in (0, 1))
        return (text.format(**c), text.format(**fortran)) if text else NOTHING

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
        return "; ".join(c) or NOTHING[0], ", ".join(fortran) or NOTHING[1]

    def after(self):
        """What a wrapper does after the call with a new communicator that may be reordered, in C and in Fortran."""
        names = [name for name, _ in self.arguments]
        if self.name in AFTER:
            return self.told(AFTER[self.name])
        if "reorder" not in names:
            return NOTHING
        reorder, made = f"a{names.index('reorder') + 1}", f"a{len(names)}"
        return (f"hs__reorder_made(reorder, {names[-1]})",
                f"hs__fortran_reorder_made(target.interface == HS__FORTRAN_MPIFH, {reorder}, {made})")

    def fields(self):
        given = [kind for _, kind in self.arguments if kind not in ONLY_IN_C]
        count = len(given) + 1 + sum(kind in WITH_HIDDEN_LENGTH for kind in given)  # 1: the error code
        addresses = [f"a{n}" for n in range(1, count + 1)]
        types = {**C_TYPES, **LARGE_TYPES} if self.large else C_TYPES
        condition = self.condition()
        note, before, world, after = self.told(self.note()), self.told(BEFORE.get(self.name)), self.world(), self.after()
        return {
            "note": note[0] or NOTHING[1], "before": before[0], "world": world[0], "after": after[0],
            "fortran_note": note[1], "fortran_before": before[1], "fortran_world": world[1], "fortran_after": after[1],
            "fortran_code": f"a{len(given) + 1}",
            "name": self.name + "_c" * self.large, "number": str(self.number), "class": self.kind,
            "if": condition and f"#if {condition}", "endif": condition and "#endif",
            "interfaces": "FORTRAN_LARGE" if self.large else "FORTRAN",
            "lower": self.stem(), "upper": self.stem().upper(),
            "parameters": ", ".join(types[kind].format(name) for name, kind in self.arguments) or "void",
            "arguments": ", ".join(name for name, _ in self.arguments),
            "fortran_parameters": ", ".join(f"A {a}" for a in addresses), "fortran_arguments": ", ".join(addresses),
        }


def fail(path, line, text):
    sys.exit(f"{path}:{line}: {text}")


def read_call(path, line, words, number):
    name, kind = words[0], words[1] if len(words) > 1 else "nothing"
    if not re.fullmatch(r"MPI_[A-Z][A-Za-z0-9_]*", name):
        fail(path, line, f"'{name}' is no MPI function")
    if kind not in CLASSES:
        fail(path, line, f"{name} may do '{kind}', expected one of {', '.join(CLASSES)}")
    since = words[2] if len(words) > 2 and words[2] in SINCE else ""
    arguments = [tuple(word.split(":", 1)) for word in words[3 if since else 2:]]
    for argument in arguments:
        if len(argument) != 2 or argument[1] not in C_TYPES:
            fail(path, line, f"{name}: '{':'.join(argument)}' is not name:KIND with a known kind")
    return Call(name, number, kind, since, arguments)


def read_calls(path):
    calls = {}
    with open(path) as text:
        for line, row in enumerate(text, 1):
            words = row.split("#")[0].split()
            if not words:
                continue
            if words[0] in calls:
                fail(path, line, f"{words[0]} stands there twice")
            calls[words[0]] = read_call(path, line, words, len(calls))
    return list(calls.values())


def substitute(path, line, text, fields):
    def value(match):
        if match[1] not in fields:
            fail(path, line, f"'@{match[1]}@' means nothing here")
        return fields[match[1]]
    return re.sub(r"@(\w+)@", value, text)


def expand(path, calls):
    """Yields the output line by line."""
    block, begin = None, 0
    with open(path) as text:
        for line, row in enumerate(text, 1):
            word = row.strip()
            if word == "@each@" and block is None:
                block, begin = [], line
            elif word == "@end@" and block is not None:
                for call in [twin for call in calls for twin in call.twins()]:
                    fields = call.fields()
                    yield from (substitute(path, begin + n, part, fields) for n, part in enumerate(block, 1)
                                if {fields.get(word) for word in re.findall(r"@(\w+)@", part)} != {""})
                block = None
            elif block is not None:
                block.append(row)
            else:
                yield substitute(path, line, row, {})
    if block is not None:
        fail(path, begin, "@each@ without @end@")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: gen_wrappers.py calls.txt TEMPLATE")
    sys.stdout.writelines(list(expand(sys.argv[2], read_calls(sys.argv[1]))))


main()
