{# Shape 1: the pin's torch, upgraded and built with a toolkit that the pin marks broken. GPU. #}
{# needs: cuda.attribute gpu.capability nixpkgs.rev torch.hash #}
# {{ family.title }} {{ version }} for NVIDIA {{ gpu.title }} + {{ isa.title }}
# Package name: {{ name }}

{ pkgs ? import <nixpkgs> {} }:

let
{% include "pytorch/parts/gpu-target" %}

{% include "pytorch/parts/cpu-target" %}

{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;  # CUDA
      allowBroken = true;  # this revision marks torch broken on CUDA {{ cuda.major }}
      cudaSupport = true;
    };
    overlays = [
{% include "pytorch/parts/cuda-overlay" %}
{% if blas.chosen %}

{% include "pytorch/parts/blas-overlay" %}
{% endif %}

{% if cuda.lacks_clock_rate %}
{% include "pytorch/parts/magma-overlay" %}

{% endif %}
{% include "pytorch/parts/torch-overlay" %}
    ];
  };

  inherit (nixpkgs_pinned) lib;
in
# .override gives nixpkgs' torch its arguments, .overrideAttrs changes the resulting derivation.
(nixpkgs_pinned.{{ python.overlay_attribute }}.torch.override {
  cudaSupport = true;
  gpuTargets = [ gpuArchSM ];
}).overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-gpu" %}
{% include "pytorch/parts/build-pinned-gpu" %}
{% include "pytorch/parts/metadata-rev" %}

{% include "pytorch/parts/meta-gpu" %}
})
