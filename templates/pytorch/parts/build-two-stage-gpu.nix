{% if isa.lacks_avx2 %}

  cmakeFlags = (oldAttrs.cmakeFlags or [ ]) ++ [
{% include "pytorch/parts/avx-only-cmake-flags" %}
  ];
{% endif %}

  preConfigure = (oldAttrs.preConfigure or "") + ''
{% include "pytorch/parts/isa-environment" %}
{% include "pytorch/parts/disabled-libraries" %}
  '';
