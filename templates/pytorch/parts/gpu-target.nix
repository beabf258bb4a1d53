  # GPU target: {{ gpu.id }} ({{ gpu.generation }})
{% if gpu.sm_notation %}
  # The branch settings require this notation. PyTorch reads the dotted form, {{ gpu.capability }}, and fails at this one when nvcc starts.
{% else %}
  # PyTorch reads the dotted form; another notation fails only when nvcc starts, up to an hour into the build.
{% endif %}
  gpuArchSM = "{{ gpu.target }}";
