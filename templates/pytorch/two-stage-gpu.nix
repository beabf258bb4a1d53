{# Shape 3: the pin's own torch, with the line's toolkit. GPU. #}
{# needs: cuda.attribute gpu.capability #}
# {{ family.title }} {{ version }} for NVIDIA {{ gpu.title }} + {{ isa.title }}
# Package name: {{ name }}

{% if nixpkgs.rev %}
{ pkgs ? import <nixpkgs> {} }:
{% else %}
{ pkgs ? import <nixpkgs> { config.allowUnfree = true; } }:
{% endif %}

let
{% include "pytorch/parts/gpu-target" %}

{% include "pytorch/parts/cpu-target" %}

{% if nixpkgs.rev %}
{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;  # CUDA
      cudaSupport = true;
    };
    overlays = [
{% include "pytorch/parts/cuda-overlay" %}
{% if blas.chosen %}

{% include "pytorch/parts/blas-overlay" %}
{% endif %}
    ];
  };

  inherit (nixpkgs_pinned) lib;
{% else %}
{% include "pytorch/parts/cuda-packages" %}

  inherit (nixpkgs_cuda) lib;
{% endif %}
in
# Two stages: .override gives nixpkgs' torch its arguments (it compiles for gpuTargets and nothing else), .overrideAttrs
# changes the resulting derivation.
({% if nixpkgs.rev %}nixpkgs_pinned{% else %}nixpkgs_cuda{% endif %}.{{ python.attribute }}.torch.override {
  cudaSupport = true;
  gpuTargets = [ gpuArchSM ];
}).overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-gpu" %}
{% include "pytorch/parts/build-two-stage-gpu" %}
{% include "pytorch/parts/metadata-rev" %}

{% include "pytorch/parts/meta-gpu" %}
})
