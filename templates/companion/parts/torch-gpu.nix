{% if torch.in_place %}
  # The same variant of PyTorch, built as in its own recipe.
  customPytorch = ({{ nixpkgs.set }}.{{ python.set }}.torch.override {
    cudaSupport = true;
    gpuTargets = [ {{ gpu.binding }} ];
  }).overrideAttrs (oldAttrs: {
    pname = "{{ torch.pname }}";
{% if torch.upgraded %}
  {% include "pytorch/parts/build-pinned-gpu" %}
{% else %}
  {% include "pytorch/parts/build-two-stage-gpu" %}
{% endif %}
  });
{% else %}
{% include "companion/parts/torch-elsewhere" %}
{% endif %}
