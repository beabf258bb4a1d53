#!/bin/sh
# SPDX-FileCopyrightText: Torch Matrix contributors
# SPDX-License-Identifier: MIT
# Says what a machine is, as sections for torch-matrix (detect --ssh HOST, detect --from FILE). Reads only, writes nothing.
LC_ALL=C; export LC_ALL
PATH=$PATH:/usr/lib/wsl/lib:/usr/local/bin:/run/current-system/sw/bin:/usr/local/nvidia/bin
echo '#torch-matrix capture 1'
f() { [ -r "/$1" ] || return 0; echo "#torch-matrix file $1"; cat "/$1" 2>/dev/null; echo; }
for p in proc/sys/kernel/hostname proc/cpuinfo proc/driver/nvidia/version proc/device-tree/compatible proc/device-tree/model etc/os-release etc/nix/machines etc/nix/nix.conf; do f "$p"; done
echo '#torch-matrix file proc/meminfo'; grep MemTotal /proc/meminfo 2>/dev/null
[ -d /sys/bus/pci/devices ] && echo '#torch-matrix pci'
for d in /sys/bus/pci/devices/*; do
  [ "$(cat "$d/vendor" 2>/dev/null)" = 0x10de ] || continue
  for n in vendor device class; do f "${d#/}/$n"; done
done
for s in /nix/store /nix /; do [ -d "$s" ] && { echo '#torch-matrix disk'; df -Pk "$s" 2>/dev/null | awk 'NR == 2 { print $4 }'; break; }; done
t=; command -v timeout >/dev/null 2>&1 && t='timeout 5'
PATH=$PATH:/nix/var/nix/profiles/default/bin
if command -v nix >/dev/null 2>&1; then
  e='--extra-experimental-features nix-command'
  c=$($t nix $e config show 2>/dev/null || $t nix $e show-config 2>/dev/null || $t nix show-config 2>/dev/null) &&
    { echo '#torch-matrix nix'; echo "$c" | grep -E '^(system|extra-platforms|builders) ?='; }
fi
if command -v nvidia-smi >/dev/null 2>&1; then
  echo '#torch-matrix nvidia-smi compute_cap'
  if $t nvidia-smi --query-gpu=index,name,compute_cap,driver_version,memory.total,pci.bus_id --format=csv,noheader 2>&1; then echo 'exit 0'; else
    echo "exit $?"
    echo '#torch-matrix nvidia-smi plain'
    $t nvidia-smi --query-gpu=index,name,driver_version,memory.total,pci.bus_id --format=csv,noheader 2>&1; echo "exit $?"
  fi
fi
echo '#torch-matrix end'
