# SPDX-License-Identifier: BSD-3-Clause
"""The time lines as a trace of Chrome and Perfetto: JSON, a process for each component, a thread for each rank."""
import json

from timeline_file import ACTIVITIES


def write(folder, path):
    begin = min((t.began for t in folder.timelines), default=0.0)
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"displayTimeUnit":"ms","traceEvents":[\n')
        first = True
        for pid, (name, timelines) in enumerate(folder.components().items(), 1):
            for event in events_of(pid, name, timelines, begin):
                f.write(("" if first else ",\n") + json.dumps(event, separators=(",", ":")))
                first = False
        f.write("\n]}\n")


def events_of(pid, name, timelines, begin):
    yield {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}
    for t in timelines:
        shift = t.began - begin
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": t.rank, "args": {"name": f"rank {t.rank} on {t.host}"}}
        for b, e, kind, label in t.spans:
            what, who = t.labels[label]
            event = {"ph": "X", "name": ACTIVITIES[kind] + (f" {what}" if what else ""), "cat": ACTIVITIES[kind], "pid": pid, "tid": t.rank,
                     "ts": round(1e6 * (b + shift), 1), "dur": round(1e6 * (e - b), 1)}
            if what:
                event["args"] = {"what": what, "who": who}
            yield event
        for at, time in t.steps:
            yield {"ph": "i", "s": "t", "name": "step", "pid": pid, "tid": t.rank, "ts": round(1e6 * (at + shift), 1), "args": {"model_time_s": time}}
