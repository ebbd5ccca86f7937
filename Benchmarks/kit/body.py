"""Bodies that both ends know, so that the receiver can compare each byte."""
import random

PERIOD = 1 << 16
_REPEATED = random.Random(1).randbytes(PERIOD) * 17


def piece(offset, length):
    """The bytes of a body at `offset`; at most 1 MiB at once."""
    start = offset % PERIOD
    return memoryview(_REPEATED)[start:start + min(length, 16 * PERIOD)]


def pieces(length, step=PERIOD):
    """A whole body in pieces of `step` bytes."""
    offset = 0
    while offset < length:
        part = piece(offset, min(step, length - offset))
        offset += len(part)
        yield part
