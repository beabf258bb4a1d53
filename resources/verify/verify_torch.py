#!/usr/bin/env python3
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
"""Says what a PyTorch is, as JSON on standard output: version, CUDA architectures, build flags, size.

It needs nothing but Python's own library and judges nothing; `torch-matrix verify` holds what it says against a
variant. Run it with the Python that the PyTorch is for:

    python3 verify_torch.py                     imports torch
    python3 verify_torch.py --module torchvision
    python3 verify_torch.py --files DIR         imports nothing: DIR holds torch/ (site-packages)
    python3 verify_torch.py --cuobjdump auto    asks cuobjdump as well, which takes a while
"""

import argparse
import importlib
import json
import mmap
import os
import platform
import re
import shutil
import struct
import subprocess
import sys

FATBIN_MAGIC = 0xBA55ED50
KIND_PTX, KIND_ELF = 1, 2
MOST_ENTRIES = 2_000_000


def section(view, wanted):
    """Offset and size of a section of a 64-bit ELF file, or None."""
    if view[:4] != b"\x7fELF" or view[4] != 2:
        return None
    order = "<" if view[5] == 1 else ">"
    table, entry_size, count, names = (
        struct.unpack_from(order + "Q", view, 0x28)[0],
        *struct.unpack_from(order + "HHH", view, 0x3A),
    )
    if entry_size < 64 or table + entry_size * count > len(view) or names >= count:
        return None

    def header(number):
        return struct.unpack_from(order + "IIQQQQ", view, table + entry_size * number)

    texts = header(names)[4]
    for number in range(count):
        name, kind, _, _, offset, size = header(number)
        end = texts + name + len(wanted)
        if kind != 8 and view[texts + name:end] == wanted and view[end:end + 1] == b"\0":
            return (offset, size) if offset + size <= len(view) else None
    return None


def fatbin_archs(path):
    """Architectures of the machine code and of the PTX in a library, as ({90: bytes}, {90: bytes}).

    The layout is that of a fat binary's containers and entries, whose headers are not compressed.
    """
    code, ptx = {}, {}
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < 64:
            return code, ptx
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
            found = section(view, b".nv_fatbin")
            if not found:
                return code, ptx
            at, end = found[0], found[0] + found[1]
            entries = 0
            while at + 16 <= end and entries < MOST_ENTRIES:
                magic, _, header_size, size = struct.unpack_from("<IHHQ", view, at)
                if magic != FATBIN_MAGIC:
                    at += 8  # filled up to the next container
                    continue
                inner, stop = at + header_size, min(at + header_size + size, end)
                while inner + 32 <= stop and entries < MOST_ENTRIES:
                    kind, _, entry_header, entry_size = struct.unpack_from("<HHIQ", view, inner)
                    arch = struct.unpack_from("<I", view, inner + 28)[0]
                    if entry_header < 32 or entry_header + entry_size == 0:
                        break
                    entries += 1
                    if kind in (KIND_PTX, KIND_ELF) and 10 <= arch < 1000:
                        kinds = code if kind == KIND_ELF else ptx
                        kinds[arch] = kinds.get(arch, 0) + entry_size
                    inner += entry_header + entry_size
                at = max(stop, at + 8)
    return code, ptx


def cuobjdump_archs(program, path):
    out = subprocess.run([program, "--list-elf", path], capture_output=True, text=True, timeout=600, check=False).stdout
    return sorted(set(re.findall(r"\.sm_(\d+)[af]?\.cubin", out)), key=int)


def size_of(folder):
    """Bytes of all files below it; a file with several names counts once, links are not followed but at the top."""
    total, seen = 0, set()
    for parent, _, files in os.walk(folder):
        for name in files:
            try:
                status = os.lstat(os.path.join(parent, name))
            except OSError:
                continue
            if (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                total += status.st_blocks * 512
    return total


def libraries_of(package, cuobjdump):
    folder = os.path.join(package, "lib")
    libraries = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        # Those of PyTorch itself; cuDNN and its like come for all architectures.
        if not re.match(r"lib(torch|c10|caffe2).*\.so$", name):
            continue
        path = os.path.join(folder, name)
        entry = {"name": name, "size": os.path.getsize(path)}
        try:
            code, ptx = fatbin_archs(path)
            entry["code"] = {"sm_%d" % arch: size for arch, size in sorted(code.items())}
            entry["ptx"] = {"compute_%d" % arch: size for arch, size in sorted(ptx.items())}
            if cuobjdump and code:
                entry["cuobjdump"] = ["sm_" + arch for arch in cuobjdump_archs(cuobjdump, path)]
        except (OSError, ValueError, struct.error, subprocess.SubprocessError) as error:
            entry["error"] = str(error)
        libraries.append(entry)
    return libraries


def version_in(file):
    """Version and CUDA of torch/version.py, unread by Python."""
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            content = text.read(100_000)
    except OSError:
        return None, None
    version = re.search(r"^__version__(?:\s*:[^=\n]+)?\s*=\s*['\"]([^'\"]+)", content, re.M)
    cuda = re.search(r"^cuda(?:\s*:[^=\n]+)?\s*=\s*['\"]([^'\"]+)", content, re.M)
    return version and version.group(1), cuda and cuda.group(1)


def imported(name, facts):
    try:
        module = importlib.import_module(name)
    except BaseException as error:  # a broken extension may raise anything, SystemExit too
        facts["error"] = "%s: %s" % (type(error).__name__, error)
        facts["imported"] = False
        return None
    facts["imported"] = True
    facts["version"] = str(getattr(module, "__version__", ""))
    facts["file"] = getattr(module, "__file__", "")
    return module


def cuda_facts(torch):
    facts = {"version": torch.version.cuda, "available": False, "arch_list": [], "devices": []}
    try:
        facts["available"] = bool(torch.cuda.is_available())
        if facts["available"]:
            facts["arch_list"] = list(torch.cuda.get_arch_list())
            facts["devices"] = [
                {"name": torch.cuda.get_device_name(i), "capability": list(torch.cuda.get_device_capability(i))}
                for i in range(torch.cuda.device_count())
            ]
            # The kernels fit the device only if one runs.
            values = torch.arange(1024, device="cuda", dtype=torch.float32)
            facts["computed"] = float((values * 2).sum().item()) == 1047552.0
    except Exception as error:
        facts["error"] = "%s: %s" % (type(error).__name__, error)
    return facts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", default="torch", help="what the variant is: torch, torchvision, torchaudio")
    parser.add_argument("--files", metavar="DIR", help="look at the files below DIR only, import nothing")
    parser.add_argument("--cuobjdump", metavar="PATH", help="ask it as well; auto: the one on PATH")
    parser.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    options = parser.parse_args()
    cuobjdump = shutil.which("cuobjdump") if options.cuobjdump == "auto" else options.cuobjdump

    facts = {"format": 1, "python": platform.python_version(), "machine": platform.machine(), "torch": {}}
    package = None
    # What an import prints must not get between the JSON.
    kept = os.dup(1)
    os.dup2(2, 1)
    if options.files:
        package = os.path.join(options.files, "torch")
        version, cuda = version_in(os.path.join(package, "version.py"))
        facts["torch"] = {"imported": None, "version": version or "", "file": package}
        facts["cuda"] = {"version": cuda, "available": False, "arch_list": [], "devices": []}
        if options.module != "torch":
            version, _ = version_in(os.path.join(options.files, options.module, "version.py"))
            facts["module"] = {"name": options.module, "imported": None, "version": version or ""}
    else:
        torch = imported("torch", facts["torch"])
        if torch:
            package = os.path.dirname(torch.__file__)
            facts["config"] = torch.__config__.show()
            facts["cuda"] = cuda_facts(torch)
        if options.module != "torch":
            facts["module"] = {"name": options.module}
            imported(options.module, facts["module"])
    if package:
        facts["libraries"] = libraries_of(package, cuobjdump)
        facts["size"] = size_of(os.path.realpath(package))
    sys.stdout.flush()
    os.dup2(kept, 1)
    text = json.dumps(facts, indent=1) + "\n"
    if options.output:
        with open(options.output, "w", encoding="utf-8") as out:
            out.write(text)
    else:
        os.write(1, text.encode())


if __name__ == "__main__":
    main()
