{# Shape 6: a companion of PyTorch, with the torch of its own variant. GPU. #}
{# needs: cuda.attribute gpu.capability #}
# {{ family.title }} {{ version }} for NVIDIA {{ gpu.title }} + {{ isa.title }}
# Package name: {{ name }}

{% include "companion/parts/arguments" %}

let
{% include "companion/parts/gpu-target" %}

{% include "pytorch/parts/cpu-target" %}

{% include "companion/parts/packages-gpu" %}

{% include "companion/parts/torch-gpu" %}
in
({{ nixpkgs.set }}.{{ python.set }}.{{ family.attribute }}.override {
  torch = customPytorch;
}).overrideAttrs (oldAttrs: {
{% include "companion/parts/attributes" %}

{% include "companion/parts/passthru-gpu" %}

  preConfigure = (oldAttrs.preConfigure or "") + ''
{% include "companion/parts/cuda-environment" %}
    export FORCE_CUDA=1  # no GPU is visible inside a build

{% include "pytorch/parts/isa-environment" %}
  '';
{% include "pytorch/parts/metadata-rev" %}

{% include "companion/parts/meta-gpu" %}
})
