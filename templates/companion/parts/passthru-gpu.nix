  passthru = oldAttrs.passthru // {
    gpuArch = {{ gpu.binding }};
    blasProvider = "cublas";
    cpuISA = "{{ isa.id }}";
  };
