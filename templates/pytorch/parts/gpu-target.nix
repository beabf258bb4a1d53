  # GPU target: {{ gpu.id }} ({{ gpu.generation }})
  # PyTorch reads the dotted form; another notation fails only when nvcc starts, up to an hour into the build.
  gpuArchSM = "{{ gpu.capability }}";
