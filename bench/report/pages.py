#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages of hs report for made-up runs of more and more ranks: prints CSV, a row a size.

usage: pages.py BUILD_DIR [--repeats N] [--ranks N,N,...] [--browser CHROMIUM]

Reports are those of tests/cli/fake_report.py with 20 ranks a host. seconds is the median time to make the page, cpu_s the
processor time of the fastest run. open_s is the median time that the browser, already running and without a window, takes to
read the page, lay it out 1280 wide and draw its plots; empty without a browser. plots is how many of them uPlot has drawn."""
import argparse, csv, os, re, resource, shutil, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "..", "..", "tests", "cli", "fake_report.py")
FRAME = """<!DOCTYPE html><script>const begun = performance.now();
onload = () => {
  const page = document.querySelector("iframe").contentDocument, height = page.documentElement.scrollHeight;
  const plots = page.querySelectorAll(".plot canvas").length;
  document.querySelector("p").textContent = "laid out " + height + " high with " + plots + " plots in " + (performance.now() - begun) + " ms";
}</script><p></p><iframe width="1280" height="800" src="run.html"></iframe>"""


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def open_page(browser, folder):
    """Seconds from asking for the page until it is laid out, and how many plots are drawn."""
    frame = os.path.join(folder, "frame.html")
    with open(frame, "w") as file:
        file.write(FRAME)
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                           f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{frame}"],
                          capture_output=True, text=True, check=True)
    told = re.search(r"laid out (\d+) high with (\d+) plots in ([\d.]+) ms</p>", done.stdout)
    if not told or int(told[1]) < 1000:
        sys.exit(f"{browser} did not lay out the page: {done.stdout[:300]}{done.stderr[-300:]}")
    return float(told[3]) / 1000, told[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ranks", default="10,1000,10000")
    parser.add_argument("--browser", default=shutil.which("chromium") or shutil.which("google-chrome"))
    words = parser.parse_args()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("ranks report_bytes page_bytes seconds cpu_s open_s plots".split())
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
            opened = [open_page(words.browser, folder) for _ in range(words.repeats if words.browser else 0)]
            out.writerow([ranks, os.path.getsize(report), os.path.getsize(page), f"{statistics.median(seconds):.3f}",
                          f"{min(used):.3f}", f"{statistics.median(s for s, _ in opened):.3f}" if opened else "", opened[0][1] if opened else ""])
            sys.stdout.flush()


main()
