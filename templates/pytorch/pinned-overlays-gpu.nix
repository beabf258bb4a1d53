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

{% if cuda.lacks_clock_rate %}
      # MAGMA reads cudaDeviceProp.clockRate, which CUDA 13.0 removed. Upstream's fix, newer than this revision's MAGMA.
      (final: prev: {
        magma = prev.magma.overrideAttrs (oldAttrs: {
          patches = (oldAttrs.patches or [ ]) ++ [
            (final.fetchpatch {
              name = "cuda-13.0-clockrate-fix.patch";
              url = "https://github.com/icl-utk-edu/magma/commit/235aefb7b064954fce09d035c69907ba8a87cbcd.patch";
              hash = "sha256-i9InbxD5HtfonB/GyF9nQhFmok3jZ73RxGcIciGBGvU=";
            })
          ];
        });
      })

{% endif %}
{% include "pytorch/parts/torch-overlay" %}
    ];
  };

  inherit (nixpkgs_pinned) lib;
in
# .override gives nixpkgs' torch its arguments, .overrideAttrs changes the derivation that comes of them.
(nixpkgs_pinned.{{ python.overlay_attribute }}.torch.override {
  cudaSupport = true;
  gpuTargets = [ gpuArchSM ];
}).overrideAttrs (oldAttrs: {
  pname = "{{ pname }}";

{% include "pytorch/parts/passthru-gpu" %}

  patches = [ ];  # as in the overlay
  requiredSystemFeatures = [ "big-parallel" ];  # hours on many cores: not for every builder

  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [
    "-DTORCH_BUILD_VERSION={{ version }}"
{% if cuda.moved_cccl %}
    "-DCMAKE_CUDA_FLAGS=-I/build/cccl-compat"  # made in preConfigure
{% endif %}
    "-DCUDA_VERSION={{ cuda.version }}"
{% if isa.lacks_avx2 %}
{% include "pytorch/parts/avx-only-cmake-flags" %}
{% endif %}
  ];

  preConfigure = (oldAttrs.preConfigure or "") + ''
{% include "pytorch/parts/isa-environment" %}
{% include "pytorch/parts/disabled-libraries" %}

{% include "pytorch/parts/build-version" %}
{% if cuda.moved_cccl %}

    # CUTLASS of PyTorch {{ version }} includes <cccl/cuda/...>, and CUDA {{ cuda.major }} ships these headers as <cuda/...>.
    mkdir -p /build/cccl-compat/cccl
    for dir in cuda cub thrust nv; do
      ln -s ${lib.getInclude nixpkgs_pinned.cudaPackages.cuda_cccl}/include/$dir /build/cccl-compat/cccl/$dir
    done
    export CXXFLAGS="-I/build/cccl-compat $CXXFLAGS"
    export CFLAGS="-I/build/cccl-compat $CFLAGS"
    export CUDAFLAGS="-I/build/cccl-compat $CUDAFLAGS"
{% endif %}
  '';

  # nixpkgs removes PyTorch's FindCUDAToolkit.cmake, yet the install phase wants it: one that hands over to CMake's own.
  postPatch = (oldAttrs.postPatch or "") + ''
    mkdir -p cmake/Modules
    cat > cmake/Modules/FindCUDAToolkit.cmake <<'EOF'
    include(''${CMAKE_ROOT}/Modules/FindCUDAToolkit.cmake)
    EOF
  '';

{% include "pytorch/parts/meta-gpu" %}
})
