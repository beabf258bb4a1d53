  # One revision of nixpkgs, so that this recipe builds the same package on every day and machine. Of the caller's nixpkgs
  # (flox passes its own) only the system is used.
  nixpkgs_pinned = import (fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/{{ nixpkgs.rev }}.tar.gz";
{% if nixpkgs.sha256 %}
    sha256 = "{{ nixpkgs.sha256 }}";
{% endif %}
  }) {
    inherit (pkgs.stdenv.hostPlatform) system;
