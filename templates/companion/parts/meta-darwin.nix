  meta = oldAttrs.meta // {
    description = "{{ quoted.family }} {{ version }} for Apple silicon with Metal";
    longDescription = ''
      {{ indented.family }} {{ version }} for Apple silicon:
      - GPU: Metal Performance Shaders
      - PyTorch: {{ torch.version }}, the same variant
      - Python: {{ python.version }}

      Hardware requirements:
      - {{ indented.products }}
    '';
    platforms = [ "{{ gpu.platform }}" ];
  };
