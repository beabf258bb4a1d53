{# Shape 4: the pin's own torch on OpenBLAS. CPU only. #}
# {{ family.title }} {{ version }} for CPUs with {{ isa.title }}, no GPU
# Package name: {{ name }}

{ pkgs ? import <nixpkgs> {{ nixpkgs.caller }} }:

let
{% include "pytorch/parts/cpu-target" %}

{% if nixpkgs.rev %}
{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;
    };
{% if blas.chosen %}
    overlays = [
{% include "pytorch/parts/blas-overlay" %}
    ];
{% endif %}
  };

  inherit (nixpkgs_pinned) lib {{ blas.attribute }};
{% else %}
{% if blas.chosen %}
{% include "pytorch/parts/blas-packages" %}
{% endif %}
  inherit ({{ nixpkgs.plain }}) lib {{ blas.attribute }};
{% endif %}
in
# .override gives nixpkgs' torch its arguments, .overrideAttrs changes the resulting derivation.
({{ nixpkgs.plain }}.{{ python.attribute }}.torch.override {
  cudaSupport = false;
}).overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-cpu" %}
{% include "pytorch/parts/build-cpu" %}
{% include "pytorch/parts/metadata-rev" %}

{% include "pytorch/parts/meta-cpu" %}
})
