
  patches = [ ];  # as in the overlay

  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [
    "-DTORCH_BUILD_VERSION={{ torch.version }}"
    "-DUSE_CUDA=OFF"
{% if isa.lacks_avx2 %}
{% include "pytorch/parts/avx-only-cmake-flags" %}
{% endif %}
  ];

  preConfigure = (oldAttrs.preConfigure or "") + ''
{% include "pytorch/parts/isa-environment" %}
{% include "pytorch/parts/disabled-libraries" %}

{% include "pytorch/parts/build-version" %}
  '';
