
  # No CUDA library, {{ blas.title }} for linear algebra.
  buildInputs = lib.filter (p: !(lib.hasPrefix "cuda" (p.pname or ""))) oldAttrs.buildInputs ++ [
{% if blas.id == "mkl" %}
    mkl
{% else %}
    openblas
{% endif %}
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

    export BLAS={{ blas.cmake }}
{% if not isa.lacks_avx2 %}
    export USE_MKLDNN=1        # oneDNN, under its old name
    export USE_MKLDNN_CBLAS=1
{% endif %}
    export CMAKE_BUILD_TYPE=Release

{% include "pytorch/parts/isa-environment" %}
{% include "pytorch/parts/disabled-libraries" %}
  '';
