{% if nixpkgs.rev %}
{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;
{% if torch.upgraded %}
      allowBroken = true;  # marks of the older torch do not hold for this one
{% endif %}
    };
{% if torch.upgraded and torch.in_place %}
    overlays = [
{% include "pytorch/parts/torch-overlay" %}
    ];
{% endif %}
  };

  inherit (nixpkgs_pinned) lib{% if torch.in_place and not torch.upgraded %} openblas{% endif %};
{% else %}
  inherit (pkgs) lib{% if torch.in_place and not torch.upgraded %} openblas{% endif %};
{% endif %}
