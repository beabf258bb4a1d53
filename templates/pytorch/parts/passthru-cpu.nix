  passthru = oldAttrs.passthru // {
    gpuArch = null;
    blasProvider = "{{ blas.id }}";
    cpuISA = "{{ isa.id }}";
  };
