#!/usr/bin/env python3
"""Drives the pages of the console in headless Chromium: every view, every action.

    test_console.py [--axe FILE] [--shots FOLDER] [--items COUNT] [--patience SECONDS] [--pinhole PROGRAM] [--workers COUNT] [NAME…]

Needs chromium and nothing from the network. `axe.min.js` is found in the package axe-playwright-python or named by
--axe; without it the audit by its rules is left out, and said to be. NAMEs choose groups (list, detail, looks, whole, lab, classroom, lessons, compose, rules, breakpoints, exchange, proxy, hints, manual, timeline, connect, stories)
or tests that contain one of them.

One Chromium has a tab for each group, in a context of its own. Workers take the groups from a queue; the tests of a
group run one after the other. Each test's line begins with `ok` or `FAIL` and has the name of its group.

All of it runs in a network of its own where the system permits one: Chromium breaks off requests, also on loopback,
when an address or a link of its network changes. The programs that are left end with this one.
"""
import argparse
import contextlib
import functools
import importlib
import importlib.util
import io
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from browser import PATIENCE, Browser, Chromium, Failure  # noqa: E402
from console_stage import TESTS, Stage, expect  # noqa: E402

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / ".build/debug/pinhole"
# The groups that take longest come first, so that the workers end at the same time.
GROUPS = ("list", "detail", "rules", "proxy", "looks", "stories", "connect", "exchange", "timeline", "compose", "lab", "breakpoints", "classroom", "lessons", "whole", "hints",
          "manual")
for group in GROUPS:
    importlib.import_module(f"console_{group}")


class Report(io.TextIOBase):
    """The standard output. What a test prints comes before its result, and not between those of other groups."""

    def __init__(self, out):
        self.out, self.local, self.lock = out, threading.local(), threading.Lock()

    def write(self, text):
        self.local.text = getattr(self.local, "text", "") + text
        return len(text)

    def flush(self):
        with self.lock:
            self.out.write(getattr(self.local, "text", ""))
            self.out.flush()
        self.local.text = ""


def run(one, name, stage):
    """Runs a test. Returns whether it passed."""
    start = time.monotonic()
    stage.begin()
    try:
        one(stage)
        complaints = stage.complaints()
        expect(not complaints, f"the console of the browser is empty: {complaints[:5]}")
        print(f"ok    {name} ({time.monotonic() - start:.1f} s)", flush=True)
        return True
    except Failure as failure:
        print(f"FAIL  {name}: {failure} {stage.unpardoned()[:3]}", flush=True)
        stage.shoot(f"failed-{one.__name__}")
    except Exception as error:
        print(f"FAIL  {name}: {type(error).__name__}: {error}\n{traceback.format_exc()}", flush=True)
    return False


def work(groups, new_stage, results):
    """Takes groups until none is left."""
    while True:
        try:
            group, tests = groups.get_nowait()
        except queue.Empty:
            return
        left = list(tests)
        try:
            stage = new_stage(group)
            try:
                while left:
                    results.append(run(left[0], f"{group}.{left[0].__name__}", stage))
                    left.pop(0)
            finally:
                stage.end()
        except Exception as error:
            # The stage itself failed, and the tests that it was for did not run.
            results.extend(False for _ in left or [None])
            print(f"FAIL  {group}: {type(error).__name__}: {error}\n{traceback.format_exc()}", flush=True)


def isolate():
    """Begins this program again in a network and with process numbers of its own, if the system permits that."""
    words = ["unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if "PINHOLE_PAGE_NETWORK" in os.environ or subprocess.run([*words, "ip", "link", "set", "lo", "up"], capture_output=True).returncode:
        return
    os.environ["PINHOLE_PAGE_NETWORK"] = "own"
    os.execvp("unshare", [*words, "sh", "-c", 'ip link set lo up && exec "$@"', "-", sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--items", type=int, default=6_000)
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds until what is waited for must be there")
    parser.add_argument("--pinhole", type=pathlib.Path, default=PROGRAM, help="the program (.build/debug/pinhole)")
    parser.add_argument("--workers", type=int, default=2 * (os.cpu_count() or 1), help="how many groups run at a time: much of a test is waiting")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    package = importlib.util.find_spec("axe_playwright_python")
    axe_file = options.axe or (pathlib.Path(package.submodule_search_locations[0], "axe.min.js") if package else None)
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    Browser.patience = options.patience
    program = options.pinhole.resolve()
    groups, results = queue.Queue(), []
    for group in GROUPS:
        chosen = [one for one in TESTS if one.__module__ == f"console_{group}"
                  and (not options.names or any(name in f"{group}.{one.__name__}" for name in options.names))]
        if chosen:
            groups.put((group, chosen))
    with contextlib.ExitStack() as ending, contextlib.redirect_stdout(Report(sys.stdout)):
        folder = pathlib.Path(ending.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))

        @functools.cache
        def chromium():
            started = Chromium()
            ending.callback(started.end)
            return started

        order = (groups, lambda group: Stage(options.items, axe_file, options.shots, program, folder, chromium, group), results)
        workers = [threading.Thread(target=work, args=order) for _ in range(min(options.workers, groups.qsize()))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    print(f"{sum(results)} of {len(results)} are well")
    sys.exit(not results or not all(results))


if __name__ == "__main__":
    isolate()
    main()
