# SPDX-License-Identifier: BSD-3-Clause
"""Ratios of preloaded to bare runs of programs, in pairs that alternate, until each is told from a limit.

A disturbance of the machine hits both runs of a pair, or only one; a median of ratios over the pairs bears either. Its
interval is that of the sign test, which supposes nothing of how times are spread. Programs that are not yet told from the
limit get further pairs while there is time, those with the fewest first."""
import math
import os
import resource
import statistics
import subprocess
import time

LEAST = 6  # pairs: the interval of fewer covers less than 95 %


class Row:
    """A program's runs, in pairs. measure(preloaded) returns seconds or None when the run is of no use."""

    def __init__(self, name, measure):
        self.name, self.measure = name, measure
        self.bare, self.preloaded, self.spent, self.is_broken = [], [], 0.0, False

    def add_pair(self):
        begun = time.monotonic()
        order = (False, True) if len(self.bare) % 2 == 0 else (True, False)
        pair = {preloaded: self.measure(preloaded) for preloaded in order}
        if None in pair.values():
            self.is_broken = True
        else:
            self.bare.append(pair[False])
            self.preloaded.append(pair[True])
        self.spent += time.monotonic() - begun

    def interval(self):
        """The median ratio and the ends of its 95 % interval."""
        ratios = sorted(on / bare for bare, on in zip(self.bare, self.preloaded))
        n, out, tail = len(ratios), 0, 0.0
        while out < (n - 1) // 2:
            tail += math.comb(n, out) / 2 ** n
            if 2 * tail > 0.05:
                break
            out += 1  # so many at either end are outside the interval
        out = max(out - 1, 0)
        return statistics.median(ratios), ratios[out], ratios[n - 1 - out]

    def verdict(self, limit):
        if self.is_broken:
            return "failed"
        if len(self.bare) < LEAST:
            return "open"
        _, low, high = self.interval()
        return "within" if high <= limit else "slower" if low > limit else "open"


def measure_all(rows, limit, seconds):
    """LEAST pairs of every row, then more of open ones, until none is open or the seconds are over. Yields rows whose
    verdict has changed, then the open ones."""
    end = time.monotonic() + seconds
    waiting = list(rows)
    while waiting and time.monotonic() < end:
        row = min(waiting, key=lambda each: len(each.bare))
        row.add_pair()
        if row.verdict(limit) != "open":
            waiting.remove(row)
            yield row
    yield from waiting


class Launcher:
    """Programs on so many ranks, bare or with the preload library of a build directory."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.preload = os.path.join(self.build, ".libs", "libheteroslice-preload.so")
        self.nothing = "libdl.so.2"  # an empty library since glibc 2.34
        self.start = [os.path.join(self.build, "tests", "launch", "start"), "--measured"]

    def run(self, ranks, command, settings=None, timeout=0, empty=False, **options):
        """settings: NAME=VALUE, for the preload library; None: a bare run, or with an empty library preloaded."""
        start = [*self.start[:1], "-t", str(timeout), *self.start[1:], "-n", str(ranks), "env"]
        if settings is not None:
            start += [f"LD_PRELOAD={self.preload}", "HS_LOG=error", *settings]
        elif empty:
            start.append(f"LD_PRELOAD={self.nothing}")
        return subprocess.run([*start, *command], stdout=subprocess.PIPE, text=True, errors="replace", **options)


def own_seconds():
    """Processor seconds of the runs so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def machine_seconds():
    """Busy and all, over all processors."""
    with open("/proc/stat") as stat:
        ticks = [int(word) for word in stat.readline().split()[1:9]]
    hertz = os.sysconf("SC_CLK_TCK")
    return (sum(ticks) - ticks[3] - ticks[4]) / hertz, sum(ticks) / hertz


class Usage:
    """The part of the machine that other processes use meanwhile."""

    def __init__(self):
        self.own, (self.busy, self.total) = own_seconds(), machine_seconds()

    def others(self):
        busy, total = machine_seconds()
        return max(0.0, busy - self.busy - (own_seconds() - self.own)) / max(total - self.total, 1e-9)
