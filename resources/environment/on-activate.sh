  # The variants that this machine can run.
  cpu=" $(grep -m 1 -E '^(flags|Features)' /proc/cpuinfo 2>/dev/null | cut -d : -f 2) "
  has() { for flag in "$@"; do case "$cpu" in *" $flag "*) ;; *) return 1 ;; esac; done; }
  isas=""
@ISAS@
  rows="cpu"
  for capability in $(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sort -u); do
    case "$capability" in
@ROWS@
    esac
  done
  if [ "$(uname -s)" = Darwin ]; then
    rows=darwin
    isas=mps
  fi
  echo 'Variants for this machine, each built by "flox build NAME":'
  for row in $rows; do
    for isa in $isas; do
      for recipe in "$FLOX_ENV_PROJECT"/.flox/pkgs/*-"$row-$isa".nix; do
        if [ -e "$recipe" ]; then basename "$recipe" .nix; fi
      done
    done
  done
