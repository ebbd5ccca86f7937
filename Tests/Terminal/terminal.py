"""A program in a pseudo terminal, and the screen that a terminal would show.

The emulator knows the sequences that Pinhole writes (ECMA-48 and the alternate screen), and fails at any other one, so
that no byte of a peer passes as one.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
SEQUENCE = re.compile(rb"\x1b\[(\??)([0-9;]*)([A-Za-z])")


class Terminal:
    """A program in a pseudo terminal of a size."""

    def __init__(self, words, columns, rows, environment, folder):
        self.resize_grid(columns, rows)
        self.is_alternate = False
        self.is_cursor_shown = True
        self.modes = set()
        self.outside = ""
        self.clipboard = None
        self.rest = b""
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)
        self.set_size(columns, rows)

    def resize_grid(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.reversed = [[False] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.is_reversed = False

    def set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.resize_grid(columns, rows)
        self.set_size(columns, rows)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def lines(self):
        return ["".join(cell for cell in row if cell).rstrip() for row in self.cells]

    def text(self):
        return "\n".join(self.lines())

    def wait(self, check, what, patience=PATIENCE):
        """Reads until the check of the screen is true; a deadline makes the test fail."""
        deadline = time.monotonic() + patience
        while not check(self):
            left = deadline - time.monotonic()
            assert left > 0, f"{what} did not come; the screen:\n{self.text()}\n{self.outside}"
            if not self.read(min(left, 1)):
                assert check(self), f"the program ended before {what}; the screen:\n{self.text()}\n{self.outside}"
                return

    def shows(self, *texts, patience=PATIENCE):
        """Waits until the screen has all texts."""
        self.wait(lambda t: all(text in t.text() for text in texts), f"{texts}", patience)

    def read(self, patience):
        """Takes what comes; False at the end of the program."""
        ready, _, _ = select.select([self.master], [], [], patience)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        if not data:
            return False
        self.take(data)
        return True

    def end(self, patience=PATIENCE):
        """Waits for the end of the program.

        Returns its status.
        """
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline and self.read(0.5):
            pass
        assert time.monotonic() < deadline, f"the program does not end; the screen:\n{self.text()}"
        _, status = os.waitpid(self.process, 0)
        self.process = None
        return os.waitstatus_to_exitcode(status)

    def close(self):
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.master)

    def take(self, data):
        data = self.rest + data
        self.rest = b""
        place = 0
        while place < len(data):
            byte = data[place]
            if byte == 0x1B:
                used = self.sequence(data[place:])
                if used is None:
                    self.rest = data[place:]
                    return
                place += used
            elif byte < 0x20:
                assert not self.is_alternate, f"the control character {byte:#x} reached the screen"
                self.outside += chr(byte)
                place += 1
            else:
                length = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
                if place + length > len(data):
                    self.rest = data[place:]
                    return
                self.put(data[place : place + length].decode())
                place += length

    def sequence(self, data):
        """Takes a sequence; returns its length, or None if more must come."""
        if data.startswith(b"\x1b]52;c;"):
            end = data.find(b"\x07")
            if end < 0:
                return None
            self.clipboard = data[7:end]
            return end + 1
        match = SEQUENCE.match(data)
        if not match:
            assert len(data) < 32 and not data[1:2].isalnum(), f"an unknown sequence: {data[:40]}"
            return None
        private, text, final = match.groups()
        numbers = [int(number or 0) for number in text.split(b";")] if text else []
        if private:
            self.mode(numbers, final == b"h")
        elif final == b"H":
            self.row, self.column = numbers[0] - 1, numbers[1] - 1
        elif final == b"J" and numbers == [2]:
            self.cells = [[" "] * self.columns for _ in range(self.rows)]
            self.reversed = [[False] * self.columns for _ in range(self.rows)]
        elif final == b"m":
            self.is_reversed = 7 in numbers
            assert set(numbers) <= {0, 1, 2, 7, *range(31, 37)}, f"the look {numbers}"
        else:
            raise AssertionError(f"an unknown sequence: {match.group(0)}")
        return match.end()

    def mode(self, numbers, is_set):
        assert set(numbers) <= {25, 1049, 2004}, f"the mode {numbers}"
        for number in numbers:
            (self.modes.add if is_set else self.modes.discard)(number)
        self.is_alternate = 1049 in self.modes
        if 25 in numbers:
            self.is_cursor_shown = is_set

    def put(self, character):
        if not self.is_alternate:
            self.outside += character
            return
        if unicodedata.combining(character):
            self.cells[self.row][self.column - 1] += character
            return
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        # A late paint for a size before a change may reach beyond the screen.
        if self.row < self.rows and self.column + width <= self.columns:
            self.cells[self.row][self.column] = character
            self.reversed[self.row][self.column] = self.is_reversed
            if width == 2:
                self.cells[self.row][self.column + 1] = ""
        self.column += width
