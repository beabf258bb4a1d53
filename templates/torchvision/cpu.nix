{# Shape 6: a companion of PyTorch, with the torch of its own variant. CPU only. #}
# {{ family.title }} {{ version }} for CPUs with {{ isa.title }}, no GPU
# Package name: {{ name }}

{% include "companion/parts/arguments" %}

let
{% include "pytorch/parts/cpu-target" %}

{% include "companion/parts/packages-cpu" %}

{% include "companion/parts/torch-cpu" %}
in
({{ nixpkgs.set }}.{{ python.set }}.{{ family.attribute }}.override {
  torch = customPytorch;
}).overrideAttrs (oldAttrs: {
{% include "companion/parts/attributes" %}

{% include "pytorch/parts/passthru-cpu" %}

  preConfigure = (oldAttrs.preConfigure or "") + ''
{% include "pytorch/parts/isa-environment" %}
  '';
{% include "pytorch/parts/metadata-rev" %}

{% include "companion/parts/meta-cpu" %}
})
