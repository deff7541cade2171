"""How far a run is, on standard error."""

import contextlib
import sys
import time

_WIDTH = 30


@contextlib.contextmanager
def shown(progress):
    """The function to call with the share that is done: the caller's; a bar for True; for None nothing is shown."""
    if progress is not True:
        if progress and not callable(progress):
            raise TypeError(f"progress is True, None or a function of the share that is done, not {progress!r}")
        yield progress or (lambda share: None)
        return
    stream, began, last = sys.stderr, time.perf_counter(), [-1.0, 0]

    def bar(share):
        now = time.perf_counter() - began
        if now - last[0] < 0.1 and share < 1:
            return
        filled, (minutes, seconds) = int(share * _WIDTH), divmod(int(now), 60)
        text = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {100 * share:3.0f} % {minutes}:{seconds:02}"
        stream.write("\r" + text.ljust(last[1]))
        stream.flush()
        last[:] = now, len(text)

    # A file would be filled with what only a terminal or a notebook writes over.
    if not (stream.isatty() or type(stream).__module__.startswith("ipykernel")):
        yield lambda share: None
        return
    try:
        bar(0.0)
        yield bar
    finally:
        stream.write("\n")
        stream.flush()
