#!/usr/bin/env python3
"""Drives the pages of the console in headless Chromium against the mock: every view, every action.

    test_console.py [--axe FILE] [--shots FOLDER] [--items COUNT] [--patience SECONDS] [--pinhole PROGRAM] [NAME…]

Needs chromium and nothing from the network. `axe.min.js` is found in the package axe-playwright-python or named by
--axe; without it the audit by its rules is left out, and said to be. NAMEs choose groups (list, detail, looks, whole, lab, classroom, lessons, compose, rules, breakpoints, exchange, proxy, hints, manual, timeline, connect, stories)
or tests that contain one of them.
"""
import argparse
import importlib
import importlib.util
import pathlib
import sys
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from browser import PATIENCE, Browser, Failure  # noqa: E402
from console_stage import TESTS, Stage, expect  # noqa: E402

GROUPS = ("list", "detail", "looks", "whole", "lab", "classroom", "lessons", "compose", "rules", "breakpoints", "exchange", "proxy", "hints", "manual", "timeline", "connect", "stories")
for group in GROUPS:
    importlib.import_module(f"console_{group}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--items", type=int, default=30_000)
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds until what is waited for must be there")
    parser.add_argument("--pinhole", type=pathlib.Path, help="the program, for the pages that need the real one")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    package = importlib.util.find_spec("axe_playwright_python")
    axe_file = options.axe or (pathlib.Path(package.submodule_search_locations[0], "axe.min.js") if package else None)
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    Browser.patience = options.patience
    stage = Stage(options.items, axe_file, options.shots, options.pinhole and options.pinhole.resolve())
    failures, ran = 0, 0
    try:
        for one in TESTS:
            full = f"{one.__module__.removeprefix('console_')}.{one.__name__}"
            if options.names and not any(name in full for name in options.names):
                continue
            ran += 1
            start = time.monotonic()
            stage.browser.pardoned.clear()
            try:
                one(stage)
                stage.browser.evaluate("0")
                complaints = stage.browser.unpardoned()
                expect(not complaints, f"the console of the browser is empty: {complaints[:5]}")
                print(f"ok    {one.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
            except Failure as failure:
                failures += 1
                print(f"FAIL  {one.__name__}: {failure} {stage.browser.unpardoned()[:3]}", flush=True)
                stage.shoot(f"failed-{one.__name__}")
            except Exception as error:
                failures += 1
                print(f"FAIL  {one.__name__}: {type(error).__name__}: {error}\n{traceback.format_exc()}", flush=True)
    finally:
        stage.end()
    print(f"{ran - failures} of {ran} are well")
    sys.exit(failures > 0 or ran == 0)


if __name__ == "__main__":
    main()
