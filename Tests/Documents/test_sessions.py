"""Tests of sessions.py itself: python3 -m unittest test_sessions"""

import glob
import os
import re
import unittest

import sessions


def pages():
    """The pages with commands: name and lines."""
    paths = sorted(glob.glob(os.path.join(sessions.ROOT, "docs/*.md"))) + [os.path.join(sessions.ROOT, "README.md")]
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield os.path.basename(path)[:-3], file.read().split("\n")


class Pages(unittest.TestCase):
    def test_exceptions_are_few_and_in_use(self):
        steps = [step for _, lines in pages() for step in sessions.steps_of(lines)]
        self.assertGreater(len(steps), 200)
        self.assertLessEqual(len(sessions.EXCEPTIONS), 10)
        for begin in sessions.EXCEPTIONS:
            self.assertTrue([step for step in steps if step.command.startswith(begin)], begin)
        self.assertLess(len([step for step in steps if step.exception]), len(steps) / 10)

    def test_every_prompt_is_a_step(self):
        for name, lines in pages():
            # Deeper prompts are a part of an output.
            prompts = [line for line in lines if re.match(r" {0,3}\$ ", line)]
            self.assertEqual(len(prompts), len(sessions.steps_of(lines)), name)

    def test_every_preparation_belongs_to_a_page(self):
        names = [name for name, _ in pages()]
        for path in glob.glob(os.path.join(sessions.HERE, "[A-Z]*.sh")):
            self.assertIn(os.path.basename(path)[:-3], names)


class Steps(unittest.TestCase):
    def test_steps_are_the_prompts_of_blocks(self):
        lines = ["```sh", "make it", "```", "$ text", "```console", "$ one \\", "  so", "out", "", "$ two", "```",
                 "   ```", "   $ swift run x &", "   said", "   $ curl it", "   ```"]
        steps = sessions.steps_of(lines)
        self.assertEqual([step.command for step in steps], ["one \\\n  so", "two", "swift run x &", "curl it"])
        self.assertEqual([step.output for step in steps], [["out"], [], ["said"], []])
        self.assertEqual([step.exception is None for step in steps], [True, True, False, False])
        self.assertEqual(sessions.steps_of(lines, True)[0].command, "make it")
        self.assertEqual(lines[steps[0].start], "out")

    def test_parts_come_before_the_commands_that_they_name(self):
        steps = sessions.steps_of(["```", "$ one", "$ pinhole proxy", "listening on 127.0.0.1:8080", "```"])
        parts = sessions.parts_of("first\n#: before one\nsecond\n#: during pinhole proxy\nthird\n")
        script = sessions.script_of(steps, parts)
        places = [script.index(text) for text in ["first", "second", "\none\n", "pinhole proxy >", "third"]]
        self.assertEqual(places, sorted(places))
        with self.assertRaises(SystemExit):
            sessions.script_of(steps, sessions.parts_of("#: before three\n"))


class Comparison(unittest.TestCase):
    def test_times_and_keys_may_differ_and_words_may_not(self):
        differs = sessions.difference
        self.assertIsNone(differs(["took 3.5 ms at 12:00:01"], ["took 120 ms at 01:02:03"]))
        self.assertIsNotNone(differs(["status 400, now 201"], ["status 400, now 200"]))
        self.assertIsNotNone(differs(["a"], ["a", "b"]))
        self.assertIsNotNone(differs(["a", "b"], ["a"]))

    def test_an_ellipsis_stands_for_any_lines_or_text(self):
        differs = sessions.difference
        self.assertIsNone(differs(["a", "…", "z"], ["a", "b", "c", "z"]))
        self.assertIsNone(differs(["…", "m", "…"], ["a", "m", "m", "z"]))
        self.assertIsNotNone(differs(["a", "…", "z"], ["a", "b"]))
        self.assertIsNotNone(differs(["a", "b", "…", "b", "z"], ["a", "b", "z"]))
        self.assertIsNone(differs(["{…, 1}"], ["{2, 3, 1}"]))
        self.assertIsNotNone(differs(["{…, 1}"], ["{2, 3}"]))

    def test_lines_of_programs_at_one_time_may_come_in_any_order(self):
        self.assertIsNone(sessions.difference(["a", "b"], ["b", "a"], False))
        self.assertIsNotNone(sessions.difference(["a", "b"], ["b", "a"]))
        self.assertIsNotNone(sessions.difference(["a", "a"], ["a", "b"], False))

    def test_later_libraries_print_what_the_table_says_and_nothing_else(self):
        shown = ["offered ALPN http/1.1, 31 cipher suites", "closed (close_notify) 1 ms later"]
        later = ["offered ALPN http/1.1, 30 cipher suites", "closed (FIN) 2 ms later"]
        old, new = {"OpenSSL": (3, 0), "curl": (7, 88)}, {"OpenSSL": (3, 6), "curl": (8, 14)}
        for versions, printed, other in [(old, shown, later), (new, later, shown)]:
            lines = [sessions.expected(line, versions) for line in shown]
            self.assertIsNone(sessions.difference(lines, printed))
            for number in range(len(lines)):
                self.assertIsNotNone(sessions.difference(lines[number:number + 1], other[number:number + 1]))

    def test_every_text_of_later_libraries_is_on_a_page(self):
        text = "\n".join("\n".join(lines) for _, lines in pages())
        for _, texts in sessions.LATER.values():
            for shown in texts:
                self.assertIn(shown, text)


if __name__ == "__main__":
    unittest.main()
