{% if torch.upgraded %}

  patches = [ ];  # as in the overlay

  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [
    "-DTORCH_BUILD_VERSION={{ torch.version }}"
  ];
{% endif %}

  preConfigure = (oldAttrs.preConfigure or "") + ''
    export USE_CUDA=0
    export USE_CUDNN=0
    export USE_CUBLAS=0

    export USE_MPS=1
    export USE_METAL=1
    export BLAS=vecLib
{% if torch.upgraded %}

{% include "pytorch/parts/build-version" %}
{% endif %}
  '';
