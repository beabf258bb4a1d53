{% if torch.sibling %}
  # The same variant of PyTorch: the recipe beside this one.
  customPytorch = import ./{{ torch.name }}.nix { inherit pkgs; };
{% endif %}
{% if torch.published %}
  # The same variant of PyTorch, as it is published.
  customPytorch = {{ torch.package }};
{% endif %}
{% if torch.fetched %}
  # The same variant of PyTorch: its recipe in another repository, at one revision.
  customPytorch = import ((fetchTarball {
    url = "{{ torch.archive }}";
{% if torch.archive_sha256 %}
    sha256 = "{{ torch.archive_sha256 }}";
{% endif %}
  }) + "/.flox/pkgs/{{ torch.name }}.nix") { inherit pkgs; };
{% endif %}
