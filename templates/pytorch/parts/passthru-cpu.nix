  passthru = oldAttrs.passthru // {
    gpuArch = null;
    blasProvider = "openblas";
    cpuISA = "{{ isa.id }}";
  };
