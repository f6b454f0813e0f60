# SPDX-License-Identifier: BSD-3-Clause
"""Programs on an emulated cluster: what the lab benchmarks share. Needs root (hs lab)."""
import argparse, json, os, re, signal, statistics, subprocess, sys
from built import built

os.environ.setdefault("HS_CACHE", "off")  # each run measures, and the developer's own cache is left alone
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")


class Cluster:
    """A cluster of its own name that is up inside a with block, also when the benchmark is told to end. What a killed run left of
    that name is taken down first. words: further ones for hs lab up."""

    def __init__(self, build, name, platform, *words):
        self.build, self.name, self.words = os.path.abspath(build), name, words
        self.platform = os.path.join(EXAMPLES, platform)

    def _lab(self, *words, check):
        quiet = None if check else subprocess.DEVNULL
        subprocess.run([f"{self.build}/hs", "lab", words[0], "--name", self.name, *words[1:]], check=check,
                       stdout=subprocess.DEVNULL, stderr=quiet)

    def __enter__(self):
        for ends in signal.SIGTERM, signal.SIGHUP:
            signal.signal(ends, lambda *_: sys.exit("stopped"))
        self._lab("down", check=False)
        try:
            self._lab("up", self.platform, *self.words, check=True)
        except BaseException:
            self._lab("down", check=False)
            raise
        return self

    def __exit__(self, *failure):
        self._lab("down", check=False)

    def speed(self, host, factor):
        """From now on the host is so many times as fast as the file says."""
        self._lab("speed", host, str(factor), check=True)

    def link(self, link, factor):
        """From now on the link has so many times the bandwidth that the file says."""
        self._lab("link", link, str(factor), check=True)

    def run(self, program, *words, hosts=()):
        """What a program of the build prints with --json, once it has verified its answer."""
        where = ["--hosts", ",".join(hosts)] if hosts else []
        command = [f"{self.build}/hs", "lab", "run", "--name", self.name, *where, "--", built(self.build, program),
                   *map(str, words), "--json"]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        result = json.loads(said[said.index("{"):])
        if not result["verified"]:
            sys.exit(f"{' '.join(command)}: wrong answer")
        return result


def write_scaled(path, platform, opening, factor):
    """A platform of the examples in which the elements that begin so have their bandwidths, or speeds, times a factor."""
    def scale(match):
        return f"{match[1]}{float(match[2]) * factor:.9g}"
    with open(os.path.join(EXAMPLES, platform)) as given, open(path, "w") as out:
        out.write(re.sub(rf'({opening} (?:bandwidth|speed)=")([0-9.]+)', scale, given.read()))


def write_changed(path, platform, name, factor):
    """With another speed of the host, or bandwidth of the link, of that name."""
    write_scaled(path, platform, f'id="{name}"', factor)


def write_links(path, platform, factor):
    """With other bandwidths of all links."""
    write_scaled(path, platform, '<link id="[^"]+"', factor)


def write_equal(path, platform):
    """With hosts of one speed."""
    with open(os.path.join(EXAMPLES, platform)) as given, open(path, "w") as out:
        out.write(re.sub(r'speed="[0-9.]+Gf"', 'speed="4Gf"', given.read()))


def claims_begin():
    print("\nclaim,median,min,max,target")


def claim(text, values, target=""):
    print(f'"{text}",{statistics.median(values):.4g},{min(values):.4g},{max(values):.4g},"{target}"')


def parser(text):
    """The command line that all have: the build and how often."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("build")
    made.add_argument("--repeats", type=int, default=5)
    return made
