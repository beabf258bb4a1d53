  passthru = oldAttrs.passthru // {
    gpuArch = "mps";
    blasProvider = "veclib";
    cpuISA = null;
  };
