#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages of hs report for made-up runs of more and more ranks: prints CSV, a row a size.

usage: pages.py BUILD_DIR [--repeats N] [--ranks N,N,...]

Reports are those of tests/cli/fake_report.py with 20 ranks a host. seconds is the median time to make the page, cpu_s the
processor time of the fastest run."""
import argparse, csv, os, resource, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "..", "..", "tests", "cli", "fake_report.py")


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ranks", default="10,1000,10000")
    words = parser.parse_args()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("ranks report_bytes page_bytes seconds cpu_s".split())
    with tempfile.TemporaryDirectory() as folder:
        report, page = os.path.join(folder, "run.json"), os.path.join(folder, "run.html")
        for ranks in map(int, words.ranks.split(",")):
            with open(report, "w") as file:
                subprocess.run([sys.executable, FAKE, str(ranks), str(max(1, ranks // 20))], check=True, stdout=file)
            seconds, used = [], []
            for _ in range(words.repeats):
                begun, before = time.monotonic(), cpu()
                subprocess.run([f"{words.build}/hs", "report", report, "-o", page], check=True)
                seconds.append(time.monotonic() - begun)
                used.append(cpu() - before)
            out.writerow([ranks, os.path.getsize(report), os.path.getsize(page), f"{statistics.median(seconds):.3f}",
                          f"{min(used):.3f}"])
            sys.stdout.flush()


main()
