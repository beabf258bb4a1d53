{% if torch.sibling %}
  # The same variant of PyTorch: the recipe beside this one.
  customPytorch = import ./{{ torch.name }}.nix { inherit pkgs; };
{% endif %}
{% if torch.published %}
  # The same variant of PyTorch, as it is published.
  customPytorch = {{ torch.package }};
{% endif %}
