{# Shape 4: the pin's own torch on OpenBLAS. CPU only. #}
# {{ family.title }} {{ version }} for CPUs with {{ isa.title }}, no GPU
# Package name: {{ name }}

{ pkgs ? import <nixpkgs> {} }:

let
{% include "pytorch/parts/cpu-target" %}

{% if nixpkgs.rev %}
{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;
    };
  };

  inherit (nixpkgs_pinned) lib openblas;
{% else %}
  inherit (pkgs) lib openblas;
{% endif %}
in
# .override gives nixpkgs' torch its arguments, .overrideAttrs changes the derivation that comes of them.
({% if nixpkgs.rev %}nixpkgs_pinned{% else %}pkgs{% endif %}.{{ python.attribute }}.torch.override {
  cudaSupport = false;
}).overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-cpu" %}
{% include "pytorch/parts/build-cpu" %}
{% include "pytorch/parts/metadata-rev" %}

{% include "pytorch/parts/meta-cpu" %}
})
