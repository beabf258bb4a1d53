  # GPU target: {{ gpu.id }} ({{ gpu.generation }})
{% if gpu.sm_notation %}
  # In the notation of the PyTorch recipe. PyTorch's own scripts read the dotted form alone: {{ gpu.capability }}.
  gpuArchSM = "{{ gpu.target }}";
{% else %}
  gpuArchNum = "{{ gpu.target }}";
{% endif %}
