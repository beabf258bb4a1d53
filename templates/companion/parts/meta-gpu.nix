  meta = oldAttrs.meta // {
    description = "{{ quoted.family }} {{ version }} for NVIDIA {{ quoted.gpu }} with {{ quoted.isa }}, CUDA {{ cuda.release }}{% if blas.chosen %}, {{ blas.title }}{% endif %}";
    longDescription = ''
      {{ indented.family }} {{ version }} for one GPU architecture and one instruction set:
      - GPU: NVIDIA {{ indented.generation }}, compute capability {{ gpu.capability }}
      - CPU: {{ indented.isa }}
      - CUDA: {{ cuda.release }}
{% if blas.chosen %}
      - BLAS on the CPU: {{ blas.title }}
{% endif %}
      - PyTorch: {{ torch.version }}, the same variant
      - Python: {{ python.version }}

      Hardware requirements:
      - GPU: {{ indented.products }}
      - CPU: {{ indented.cpu_hardware }}
      - Driver: NVIDIA {{ driver }}+ required
    '';
    platforms = [ "{{ isa.platform }}" ];
  };
