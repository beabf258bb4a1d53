{% if nixpkgs.rev %}
{% include "pytorch/parts/pinned-source" %}
    config = {
      allowUnfree = true;  # CUDA
{% if torch.upgraded %}
      allowBroken = true;  # this revision marks torch broken on CUDA {{ cuda.major }}
{% endif %}
      cudaSupport = true;
    };
    overlays = [
{% include "pytorch/parts/cuda-overlay" %}
{% if blas.chosen %}

{% include "pytorch/parts/blas-overlay" %}
{% endif %}
{% if torch.upgraded and torch.in_place %}

{% if cuda.lacks_clock_rate %}
{% include "pytorch/parts/magma-overlay" %}

{% endif %}
{% include "pytorch/parts/torch-overlay" %}
{% endif %}
    ];
  };

  inherit (nixpkgs_pinned) lib;
{% else %}
{% include "pytorch/parts/cuda-packages" %}

  inherit (nixpkgs_cuda) lib;
{% endif %}
