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

  # No CUDA library, OpenBLAS for linear algebra.
  buildInputs = lib.filter (p: !(lib.hasPrefix "cuda" (p.pname or ""))) oldAttrs.buildInputs ++ [
    openblas
  ];
{% if isa.lacks_avx2 %}

  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [
{% include "pytorch/parts/avx-only-cmake-flags" %}
  ];
{% endif %}

  preConfigure = (oldAttrs.preConfigure or "") + ''
    export USE_CUDA=0
    export USE_CUDNN=0
    export USE_CUBLAS=0

    export BLAS=OpenBLAS
{% if not isa.lacks_avx2 %}
    export USE_MKLDNN=1        # oneDNN, under its old name
    export USE_MKLDNN_CBLAS=1
{% endif %}
    export CMAKE_BUILD_TYPE=Release

{% include "pytorch/parts/isa-environment" %}
{% include "pytorch/parts/disabled-libraries" %}
  '';

{% include "pytorch/parts/meta-cpu" %}
})
