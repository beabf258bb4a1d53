# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# render.py TEMPLATES CONTEXTS COUNT: renders the templates of the program with Jinja2, COUNT times, in the contexts of a JSON list of
# {"template", "context"}, in turn. Prints milliseconds by the clock, of the processor, and KiB at most, without the start and the reading.
import json
import pathlib
import resource
import sys
import time

import jinja2

root = pathlib.Path(sys.argv[1])
texts = {str(path.relative_to(root))[: -len(".nix")]: path.read_text() for path in root.rglob("*.nix")}
environment = jinja2.Environment(loader=jinja2.DictLoader(texts), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
jobs = [(job["template"], job["context"]) for job in json.loads(pathlib.Path(sys.argv[2]).read_text())]
count = int(sys.argv[3])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
wall, processor = time.perf_counter(), time.process_time()
length = sum(len(environment.get_template(template).render(context)) for template, context in (jobs[i % len(jobs)] for i in range(count)))
wall, processor = time.perf_counter() - wall, time.process_time() - processor
assert length > 0
print(wall * 1e3, processor * 1e3, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
