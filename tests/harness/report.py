"""Reports of sanitizers in what a test printed."""

import re

REPORT_LINES = 12  # lines of a report that are shown


def brief(output):
    """Shortens the report to what happened and where. The rest (shadow memory, further leaks) can be pages."""
    lines = output.splitlines()
    start = next((i for i, line in enumerate(lines) if re.match(r"==\d+==ERROR: |.*: runtime error: ", line)), len(lines))
    end = start + REPORT_LINES
    kept = [line for line in lines[end:] if line.startswith(("SUMMARY: ", "ended by ", "no end after "))]
    cut = len(lines[end:]) - len(kept)
    return "\n".join(lines[:end] + ([f"({cut} more lines)"] if cut else []) + kept)
