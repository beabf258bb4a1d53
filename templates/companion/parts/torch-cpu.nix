{% if torch.in_place %}
  # The same variant of PyTorch, built as in its own recipe.
  customPytorch = ({{ nixpkgs.set }}.{{ python.set }}.torch.override {
    cudaSupport = false;
  }).overrideAttrs (oldAttrs: {
    pname = "{{ torch.pname }}";
{% if torch.upgraded %}
  {% include "pytorch/parts/build-pinned-cpu" %}
{% else %}
  {% include "pytorch/parts/build-cpu" %}
{% endif %}
  });
{% else %}
{% include "companion/parts/torch-elsewhere" %}
{% endif %}
