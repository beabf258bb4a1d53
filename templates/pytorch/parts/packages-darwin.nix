{% if nixpkgs.rev %}
{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;
{% if torch.upgraded %}
      allowBroken = true;  # the marks of the older torch do not apply to this one
{% endif %}
    };
{% if torch.upgraded and torch.in_place %}
    overlays = [
{% include "pytorch/parts/torch-overlay" %}
    ];
{% endif %}
  };
{% endif %}
