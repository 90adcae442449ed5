"""Slices and exact duration sums of a trace by category, by Python's own JSON reader and decimal. usage: trace_sums.py FILE

Prints JSON: {"events": n, "categories": {category: [slices, nanoseconds, "earliest start in nanoseconds"]}} of phase X
events with `dur`, which is all slices of PyTorch's traces. Sums are integers, so no digit is lost.
"""

import gc
import gzip
import json
import sys
from decimal import Decimal


def main(path):
    gc.disable()
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as file:
        document = json.loads(file.read(), parse_float=Decimal)
    events = document["traceEvents"] if isinstance(document, dict) else document
    categories = {}
    for event in events:
        if event.get("ph") != "X":
            continue
        start, duration = event["ts"] * 1000, event["dur"] * 1000
        count, total, earliest = categories.get(event.get("cat", ""), (0, 0, start))
        categories[event.get("cat", "")] = (count + 1, total + duration, min(earliest, start))
    rows = {name: [count, whole(total), str(whole(earliest))] for name, (count, total, earliest) in categories.items()}
    print(json.dumps({"events": sum("ph" in event for event in events), "categories": rows}))


def whole(value):
    if value != int(value):
        raise ValueError(f"{value} is no whole nanosecond")
    return int(value)


main(sys.argv[1])
