  passthru = oldAttrs.passthru // {
    gpuArch = gpuArchSM;
    blasProvider = "cublas";
    cpuISA = "{{ isa.id }}";
  };
