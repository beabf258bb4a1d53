  meta = oldAttrs.meta // {
    description = "{{ quoted.family }} {{ version }} for CPUs with {{ quoted.isa }}";
    longDescription = ''
      {{ indented.family }} {{ version }} for one instruction set, without a GPU:
      - GPU: none
      - CPU: {{ indented.isa }}
      - PyTorch: {{ torch.version }}, the same variant
      - Python: {{ python.version }}

      Hardware requirements:
      - CPU: {{ indented.cpu_hardware }}
    '';
    platforms = [ "{{ isa.platform }}" ];
  };
