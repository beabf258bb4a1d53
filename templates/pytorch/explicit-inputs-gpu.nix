{# Shape 5: the toolkit's libraries as inputs, the architecture by environment. GPU. #}
{# needs: cuda.attribute gpu.capability #}
# {{ family.title }} {{ version }} for NVIDIA {{ gpu.title }} + {{ isa.title }}
# Package name: {{ name }}

{ pkgs ? import <nixpkgs> {{ nixpkgs.caller }} }:

let
{% include "pytorch/parts/gpu-target" %}

{% include "pytorch/parts/cpu-target" %}

{% if nixpkgs.rev %}
{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;  # CUDA
    };
{% if blas.chosen %}
    overlays = [
{% include "pytorch/parts/blas-overlay" %}
    ];
{% endif %}
  };

  inherit (nixpkgs_pinned) lib {{ blas.attribute }} addDriverRunpath;
{% else %}
{% if blas.chosen %}
{% include "pytorch/parts/blas-packages" %}
{% endif %}
  inherit ({{ nixpkgs.plain }}) lib {{ blas.attribute }} addDriverRunpath;
{% endif %}
  cudaPackages = {{ nixpkgs.plain }}.{{ cuda.attribute }};
in
{{ nixpkgs.plain }}.{{ python.attribute }}.torch.overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-gpu" %}

  buildInputs = oldAttrs.buildInputs ++ [
    cudaPackages.cuda_cudart
    cudaPackages.libcublas
    cudaPackages.libcufft
    cudaPackages.libcurand
    cudaPackages.libcusolver
    cudaPackages.libcusparse
{% if not gpu.lacks_cudnn %}
    cudaPackages.cudnn
{% endif %}
{% if blas.id == "mkl" %}
    mkl  # for linear algebra on the CPU
{% else %}
    # For linear algebra on the CPU: 32-bit indices, as PyTorch calls it, and its own threads.
    (openblas.override {
      blas64 = false;
      singleThreaded = false;
    })
{% endif %}
  ];

  nativeBuildInputs = oldAttrs.nativeBuildInputs ++ [
    cudaPackages.cuda_nvcc
    addDriverRunpath
  ];
{% if isa.lacks_avx2 %}

  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [
{% include "pytorch/parts/avx-only-cmake-flags" %}
  ];
{% endif %}

  preConfigure = (oldAttrs.preConfigure or "") + ''
    export USE_CUDA=1
    export USE_CUBLAS=1
    export TORCH_CUDA_ARCH_LIST="${gpuArchSM}"
    export TORCH_NVCC_FLAGS="-Xfatbin -compress-all"
    export CMAKE_CUDA_ARCHITECTURES="{{ gpu.number }}"

{% include "pytorch/parts/isa-environment" %}
{% include "pytorch/parts/disabled-libraries" %}
  '';
{% include "pytorch/parts/metadata-rev" %}

{% include "pytorch/parts/meta-gpu" %}
})
