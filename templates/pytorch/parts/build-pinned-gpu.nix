
  patches = [ ];  # as in the overlay
  requiredSystemFeatures = [ "big-parallel" ];  # hours on many cores: not for every builder

  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [
    "-DTORCH_BUILD_VERSION={{ torch.version }}"
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

    # CUTLASS of PyTorch {{ torch.version }} includes <cccl/cuda/...>, and CUDA {{ cuda.major }} ships these headers as <cuda/...>.
    mkdir -p /build/cccl-compat/cccl
    for dir in cuda cub thrust nv; do
      ln -s ${lib.getInclude nixpkgs_pinned.cudaPackages.cuda_cccl}/include/$dir /build/cccl-compat/cccl/$dir
    done
    export CXXFLAGS="-I/build/cccl-compat $CXXFLAGS"
    export CFLAGS="-I/build/cccl-compat $CFLAGS"
    export CUDAFLAGS="-I/build/cccl-compat $CUDAFLAGS"
{% endif %}
  '';

  # nixpkgs removes PyTorch's FindCUDAToolkit.cmake, but the install phase needs it: this one includes CMake's own.
  postPatch = (oldAttrs.postPatch or "") + ''
    mkdir -p cmake/Modules
    cat > cmake/Modules/FindCUDAToolkit.cmake <<'EOF'
    include(''${CMAKE_ROOT}/Modules/FindCUDAToolkit.cmake)
    EOF
  '';
