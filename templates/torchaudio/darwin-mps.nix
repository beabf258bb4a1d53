{# Shapes 6 and 7: a companion of PyTorch, with the torch of its own variant. Apple silicon. #}
# {{ family.title }} {{ version }} for Apple silicon with Metal
# Package name: {{ name }}

{% include "companion/parts/arguments" %}

let
{% if nixpkgs.rev %}
{% include "pytorch/parts/packages-darwin" %}

{% endif %}
{% if torch.in_place %}
  # The same variant of PyTorch, built as in its own recipe.
  customPytorch = {{ nixpkgs.set }}.{{ python.set }}.torch.overrideAttrs (oldAttrs: {
    pname = "{{ torch.pname }}";
  {% include "pytorch/parts/build-darwin" %}
  });
{% else %}
{% include "companion/parts/torch-elsewhere" %}
{% endif %}
in
({{ nixpkgs.set }}.{{ python.set }}.{{ family.attribute }}.override {
  torch = customPytorch;
}).overrideAttrs (oldAttrs: {
{% include "companion/parts/attributes" %}

{% include "pytorch/parts/passthru-darwin" %}
{% include "pytorch/parts/metadata-rev" %}

{% include "companion/parts/meta-darwin" %}
})
