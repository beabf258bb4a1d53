#!/usr/bin/env python3
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
"""animation.py OUT SECONDS PICTURE...: one animated PNG of pictures of one size, SECONDS each, the last one twice as long; it repeats for ever.

An animated PNG (W3C, PNG third edition: acTL, fcTL and fdAT) is the first picture with the data of the others in chunks between."""

import struct
import sys
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def chunks(path):
    with open(path, "rb") as file:
        png = file.read()
    place = 8
    while place < len(png):
        size = struct.unpack_from(">I", png, place)[0]
        yield png[place + 4 : place + 8], png[place + 8 : place + 8 + size]
        place += size + 12


def main(out, seconds, pictures):
    header = next(data for kind, data in chunks(pictures[0]) if kind == b"IHDR")
    parts = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", header), chunk(b"acTL", struct.pack(">II", len(pictures), 0))]
    number = 0
    for index, picture in enumerate(pictures):
        found = list(chunks(picture))
        if next(data for kind, data in found if kind == b"IHDR") != header:
            sys.exit(f"{picture} has another size or colour type than {pictures[0]}")
        thousandths = int(seconds * 1000) * (2 if index + 1 == len(pictures) else 1)
        parts.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, *struct.unpack(">II", header[:8]), 0, 0, thousandths, 1000, 0, 0)))
        number += 1
        data = b"".join(data for kind, data in found if kind == b"IDAT")
        if index == 0:
            parts.append(chunk(b"IDAT", data))
        else:
            parts.append(chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
    parts.append(chunk(b"IEND", b""))
    with open(out, "wb") as file:
        file.write(b"".join(parts))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3:])
