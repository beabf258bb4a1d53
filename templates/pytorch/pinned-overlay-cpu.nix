{# Shape 2: the pin's torch, upgraded. CPU only. #}
{# needs: nixpkgs.rev torch.hash #}
# {{ family.title }} {{ version }} for CPUs with {{ isa.title }}, no GPU
# Package name: {{ name }}

{ pkgs ? import <nixpkgs> {} }:

let
{% include "pytorch/parts/cpu-target" %}

{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;
      allowBroken = true;  # the marks of the older torch do not apply to this one
    };
    overlays = [
{% if blas.chosen %}
{% include "pytorch/parts/blas-overlay" %}

{% endif %}
{% include "pytorch/parts/torch-overlay" %}
    ];
  };

  inherit (nixpkgs_pinned) lib;
in
# .override gives nixpkgs' torch its arguments, .overrideAttrs changes the resulting derivation.
(nixpkgs_pinned.{{ python.overlay_attribute }}.torch.override {
  cudaSupport = false;
}).overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-cpu" %}
{% include "pytorch/parts/build-pinned-cpu" %}
{% include "pytorch/parts/metadata-rev" %}

{% include "pytorch/parts/meta-cpu" %}
})
