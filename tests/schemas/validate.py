#!/usr/bin/env python3
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
"""validate.py SCHEMA FILE: what the schema finds wrong in a YAML file, a line each on standard error; the file as JSON on
standard output. Exit status 1: something is wrong. A key that is there twice is wrong as well."""
import json
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if len(set(keys)) != len(keys):
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: a key is there twice")
        return super().construct_mapping(node, deep)


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    document = yaml.load(file, Loader)
errors = list(jsonschema.Draft7Validator(schema).iter_errors(document))
for error in errors:
    print(f"{list(error.path)}: {error.message[:400]}", file=sys.stderr)
json.dump(document, sys.stdout)
sys.exit(bool(errors))
