#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: terminal.py ORDER FIFO TEXT COMMAND ...

Starts the command with standard error on a pseudo terminal, and says what came there. ORDER: 'wait' gives the FIFO, which
the command reads, its content (our standard input) only when TEXT has come; 'at once' does not wait; 'interrupt' sends
Ctrl-C when TEXT has come. Ends with the command's status, 130 after Ctrl-C; fails when TEXT never comes."""
import fcntl, os, pty, select, signal, subprocess, sys, termios

PATIENCE = 60  # seconds without a byte


def read_until(terminal, text, seen):
    """What came until `text` is in it, or, without a text, until the terminal is closed."""
    while not text or text not in seen:
        if not select.select([terminal], [], [], PATIENCE)[0]:
            sys.exit(f"terminal.py: waited {PATIENCE} s; so far {seen!r}")
        try:
            got = os.read(terminal, 4096)
        except OSError:  # all processes have closed it
            got = b""
        if not got:
            if text:
                sys.exit(f"terminal.py: {text!r} did not come, but {seen!r}")
            return seen
        seen += got
    return seen


def main():
    order, fifo, text, *command = sys.argv[1:]
    signal.alarm(4 * PATIENCE)
    terminal, theirs = pty.openpty()

    def enter():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what a shell without jobs starts in the background
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, preexec_fn=enter)
    os.close(theirs)
    writer = os.open(fifo, os.O_WRONLY)
    seen = b"" if order == "at once" else read_until(terminal, text.encode(), b"")
    if order == "interrupt":
        os.write(terminal, b"\x03")
    else:
        with os.fdopen(writer, "wb") as out:
            out.write(sys.stdin.buffer.read())
    printed = child.stdout.read()
    seen = read_until(terminal, b"", seen)
    print(repr(seen.decode()))
    status = child.wait()
    sys.exit(128 + signal.SIGINT if status == -signal.SIGINT else status if printed or status else 99)


main()
