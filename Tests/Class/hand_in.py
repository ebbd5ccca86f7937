#!/usr/bin/env python3
"""Hands in results as a learning platform stores them, and grades them.

    hand_in.py PINHOLE

Exit status 1 with a sentence if a file counts for somebody else, or an honest file is accused.
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


class Failure(Exception):
    """A result that was not as expected."""


def expect(is_so, sentence):
    if not is_so:
        raise Failure(sentence)


def played(pinhole, folder, student):
    """The file of a student who gave an answer."""
    home = Path(folder, student)
    home.mkdir()
    environment = dict(os.environ, HOME=str(home), NO_COLOR="1", LC_ALL="C.UTF-8")
    started = subprocess.Popen([pinhole, "class", "start", "--seed", student, "--secret", f"{folder}/teacher.key"], cwd=home,
                               env=environment, stdout=subprocess.PIPE, text=True)
    for line in started.stdout:
        if line.startswith("Ctrl-C"):
            break
    else:
        raise Failure("the class did not start")
    key = subprocess.run([pinhole, "class", "key", "--seed", student, "--secret", f"{folder}/teacher.key", "2"], text=True,
                         capture_output=True, timeout=PATIENCE, check=True).stdout
    issuer = next(line for line in key.splitlines() if "issuer:" in line).partition(": ")[2]
    subprocess.run([pinhole, "class", "check", "2", f"issuer={issuer}"], cwd=home, env=environment, capture_output=True,
                   timeout=PATIENCE, check=False)
    started.terminate()
    started.communicate(timeout=PATIENCE)
    return (home / "pinhole-class" / f"{student}.json").read_bytes()


def grade(pinhole, folder, *words):
    done = subprocess.run([pinhole, "class", "grade", *words, "--secret", f"{folder}/teacher.key"], cwd=folder, text=True,
                          capture_output=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    pinhole = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "teacher.key").write_text("a secret of this class\n", encoding="utf-8")
        Path(folder, "class.csv").write_text("id;name;group\nliselotte;Liselotte Ö. 😀;10b\nben;\"Becker; Ben\";10b\nkai;Kai;\n",
                                             encoding="utf-8")
        liselotte, ben = played(pinhole, folder, "liselotte"), played(pinhole, folder, "ben")
        with zipfile.ZipFile(Path(folder, "download.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("Liselotte Ö_123_assignsubmission_file/liselotte (1).json", liselotte)
            archive.writestr("../../../escape/results.json", ben)
        status, points, said = grade(pinhole, folder, "download.zip", "--students", "class.csv", "--points", "-")
        expect(status == 0, f"honest files are accused: {said}")
        rows = list(csv.reader(io.StringIO(points)))
        expect(rows == [["id", "name", "group", "points", "maximum"], ["ben", "Becker; Ben", "10b", "4", "156"], ["kai", "Kai", "", "0", "156"],
                        ["liselotte", "Liselotte Ö. 😀", "10b", "4", "156"]], f"the points: {rows}")
        expect("liselotte: handed in as download.zip: Liselotte Ö_123" in said, f"the other name is a note: {said}")
        expect("kai: no results" in said, f"a student who handed in nothing is a note: {said}")
        expect(not Path(folder).parent.joinpath("escape").exists(), "a name in an archive is no path")
        # A result that was added by hand is found, and named.
        record = json.loads(ben)
        record["lessons"]["5"] = {"answers": {}, "checks": 1, "hints": {}, "passed": {"honest": "2026-11-27T10:00:00Z"}, "since": 0}
        results = Path(folder, "results")
        results.mkdir()
        (results / "ben.json").write_text(json.dumps(record), encoding="utf-8")
        status, table, said = grade(pinhole, folder, "results")
        expect(status == 1 and "lesson 5: the result of honest was added" in said, f"a change is told: {said}")
        expect(",0/7," in table, f"an added result does not count: {table}")
        # A file among the results does not choose the lessons.
        (results / "lessons.txt").write_text("1\n", encoding="utf-8")
        _, table, _ = grade(pinhole, folder, "results")
        expect("lesson 8" in table, f"a handed-in file chooses what is graded: {table}")
        # The folder of a served class, with the secret in it, does.
        Path(folder, "passwords.csv").write_text("teacher,secret\n", encoding="utf-8")
        Path(folder, "lessons.txt").write_text("1-3,9\n", encoding="utf-8")
        _, table, _ = grade(pinhole, folder, "results")
        expect("lesson 9" in table and "lesson 4" not in table, f"the lessons of the class are graded: {table}")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(1)
