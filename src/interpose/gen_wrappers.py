#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the C wrappers of the functions in calls.txt: gen_wrappers.py calls.txt > wrap_c.c

The output depends on calls.txt alone, so it is the same from run to run and ships with the tarball."""
import sys

TYPES = {
    "AINT": "MPI_Aint {}", "AINTS": "const MPI_Aint {}[]", "AINT_OUT": "MPI_Aint *{}",
    "BUF": "void *{}", "BUF_IN": "const void *{}",
    "COMM": "MPI_Comm {}", "COMM_OUT": "MPI_Comm *{}",
    "COUNT": "int {}", "RANK": "int {}", "ROOT": "int {}", "TAG": "int {}",
    "INT": "int {}", "INTS": "const int {}[]", "INT_OUT": "int *{}", "INTS_OUT": "int {}[]",
    "ERRHANDLER": "MPI_Errhandler {}", "ERRHANDLER_OUT": "MPI_Errhandler *{}",
    "FILE": "MPI_File {}", "FILE_OUT": "MPI_File *{}",
    "GROUP": "MPI_Group {}", "GROUP_OUT": "MPI_Group *{}",
    "INFO": "MPI_Info {}", "INFOS": "const MPI_Info {}[]", "INFO_OUT": "MPI_Info *{}",
    "MESSAGE": "MPI_Message *{}",
    "OFFSET": "MPI_Offset {}", "OFFSET_OUT": "MPI_Offset *{}",
    "OP": "MPI_Op {}",
    "REQ": "MPI_Request *{}", "REQ_IN": "MPI_Request {}", "REQS": "MPI_Request {}[]",
    "STATUS": "MPI_Status *{}", "STATUSES": "MPI_Status {}[]",
    "TEXT": "const char *{}", "TEXT_OUT": "char *{}", "TEXTS": "char *{}[]", "TEXTS_OF": "char **{}[]",
    "ARGV": "char ***{}",
    "TYPE": "MPI_Datatype {}", "TYPES": "const MPI_Datatype {}[]", "TYPE_OUT": "MPI_Datatype *{}",
    "WIN": "MPI_Win {}", "WIN_OUT": "MPI_Win *{}",
}

HEAD = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Written by gen_wrappers.py from calls.txt: do not edit. */
#include "runtime/monitor.h"
#include <heteroslice/hs_status.h>
#include <mpi.h>
"""

WRAPPER = """
HS_API int {name}({parameters})
{{
    hs__monitor_enter_call();
    int code = P{name}({arguments});
    hs__monitor_leave();
    return code;
}}
"""


def fail(path, number, text):
    sys.exit(f"{path}:{number}: {text}")


def read_calls(path):
    """Yields (name, [(argument, kind)...]) in the order of the file."""
    seen = set()
    for number, line in enumerate(open(path), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        name, arguments = words[0], [tuple(word.split(":", 1)) for word in words[1:]]
        if not name.startswith("MPI_") or name in seen:
            fail(path, number, f"'{name}' is no MPI function or stands there twice")
        for argument in arguments:
            if len(argument) != 2 or argument[1] not in TYPES:
                fail(path, number, f"{name}: '{':'.join(argument)}' is not name:KIND with a known kind")
        seen.add(name)
        yield name, arguments


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: gen_wrappers.py calls.txt > wrap_c.c")
    sys.stdout.write(HEAD)
    for name, arguments in read_calls(sys.argv[1]):
        parameters = ", ".join(TYPES[kind].format(argument) for argument, kind in arguments) or "void"
        sys.stdout.write(WRAPPER.format(name=name, parameters=parameters,
                                        arguments=", ".join(argument for argument, _ in arguments)))


main()
