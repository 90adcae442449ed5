"""Compares read_main with Python's own pickle and json modules.

Usage: compare_with_python.py READ_MAIN [FILE...]
Without files, writes one snapshot in every pickle protocol and as JSON, and compares those. Files must be genuine
snapshots: they are unpickled. The last line is "N passed, N failed".
"""
import collections
import gc
import json
import os
import pickle
import subprocess
import sys
import tempfile

MASK = (1 << 64) - 1


def expected(snapshot):
    """The numbers that read_main prints, computed from the unpickled object."""
    if isinstance(snapshot, list):
        snapshot = {"segments": snapshot}
    segments = snapshot["segments"]
    blocks = [block for segment in segments for block in segment["blocks"]]
    frames, stacks, depth_of = set(), set(), {}

    def depth(stack):
        if id(stack) not in depth_of:
            value = tuple((f["name"], f["filename"], f["line"]) for f in stack)
            depth_of[id(stack)] = len(value)
            stacks.add(value)
            frames.update(value)
        return depth_of[id(stack)]

    devices = []
    depth_sum = 0
    for trace in snapshot.get("device_traces", []):
        depth_sum += sum(depth(entry["frames"]) for entry in trace if "frames" in entry)
        devices.append({
            "events": len(trace),
            "with_stack": sum("frames" in entry for entry in trace),
            "size_sum": sum(entry["size"] for entry in trace) & MASK,
            "address_sum": sum(entry.get("addr", 0) for entry in trace) & MASK,
            "time_sum": sum(entry.get("time_us", 0) for entry in trace) & MASK,
            "actions": dict(collections.Counter(entry["action"] for entry in trace)),
        })
    for owner in segments + blocks:
        if "frames" in owner:
            depth(owner["frames"])
    return {
        "segments": len(segments),
        "blocks": len(blocks),
        "reserved": sum(segment["total_size"] for segment in segments),
        "requested": sum(block["requested_size"] for block in blocks if block["state"] != "inactive"),
        "annotations": len(snapshot.get("external_annotations", [])),
        "frames": len(frames),
        "stacks": len(stacks),
        "stack_depth_sum": depth_sum,
        "devices": devices,
    }


def differences(read_main, path):
    """Keys in which read_main and Python disagree about the file."""
    gc.disable()
    with open(path, "rb") as file:
        snapshot = json.load(file) if path.endswith(".json") else pickle.load(file)
    wanted = expected(snapshot)
    got = json.loads(subprocess.run([read_main, path], stdout=subprocess.PIPE, check=False).stdout)
    wrong = [key for key, value in wanted.items() if got.get(key) != value]
    return wrong + [f["code"] for f in got.get("findings", []) if f["code"] == "snapshot/damaged_entry"]


def synthetic():
    """A snapshot that needs batches of more than 1,000, shared frames, two devices and wide integers."""
    frames = [{"name": f"f{i}", "filename": "模型.py", "line": i} for i in range(7)]
    shared = [frames[i % 7] for i in range(1203)]
    trace = []
    for i in range(2501):
        entry = {"action": "free_completed" if i % 3 else "alloc", "addr": 2**64 - 4096 * (i + 1), "size": i << (i % 36),
                 "stream": 0, "time_us": 10**15 + i, "compile_context": "N/A", "user_metadata": "", "pool_id": (0, i % 2)}
        if i % 2:
            entry["frames"] = shared if i % 4 == 1 else [dict(frames[i % 7])]
        trace.append(entry)
    block = {"address": 4096, "size": 512, "requested_size": 9, "state": "active_allocated", "frames": [frames[0]]}
    segment = {"device": 0, "address": 4096, "total_size": 512, "stream": 0, "segment_type": "small", "segment_pool_id": (0, 0),
               "is_expandable": False, "blocks": [block], "frames": []}
    note = {"name": "step", "stage": "START", "device": 0, "time_us": 5}
    return {"device_traces": [[], trace], "segments": [segment], "external_annotations": [note], "run": {"tags": [1.5, None, True, "x"]}}


def main():
    read_main, paths = sys.argv[1], sys.argv[2:]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            snapshot = synthetic()
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                paths.append(os.path.join(folder, f"protocol{protocol}.pickle"))
                with open(paths[-1], "wb") as file:
                    pickle.dump(snapshot, file, protocol)
            paths.append(os.path.join(folder, "snapshot.json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(snapshot, file)
        for path in paths:
            wrong = differences(read_main, path)
            failed += bool(wrong)
            passed += not wrong
            if wrong:
                print(f"{path}: differs in {', '.join(wrong)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
