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
{% if blas.chosen %}
{% include "pytorch/parts/blas-overlay" %}

{% endif %}
{% include "pytorch/parts/torch-overlay" %}
    ];
{% elif blas.chosen %}
    overlays = [
{% include "pytorch/parts/blas-overlay" %}
    ];
{% endif %}
  };

  inherit (nixpkgs_pinned) lib{% if torch.in_place and not torch.upgraded %} {{ blas.attribute }}{% endif %};
{% else %}
{% if blas.chosen %}
{% include "pytorch/parts/blas-packages" %}
{% endif %}
  inherit ({{ nixpkgs.plain }}) lib{% if torch.in_place and not torch.upgraded %} {{ blas.attribute }}{% endif %};
{% endif %}
