  meta = oldAttrs.meta // {
    description = "{{ quoted.family }} {{ version }} for CPUs with {{ quoted.isa }}{% if blas.chosen %}, {{ blas.title }}{% endif %}";
    longDescription = ''
      {{ indented.family }} {{ version }} for one instruction set, without a GPU:
      - GPU: none
      - CPU: {{ indented.isa }}
{% if blas.chosen %}
      - BLAS: {{ blas.title }}
{% endif %}
      - PyTorch: {{ torch.version }}, the same variant
      - Python: {{ python.version }}

      Hardware requirements:
      - CPU: {{ indented.cpu_hardware }}
    '';
    platforms = [ "{{ isa.platform }}" ];
  };
