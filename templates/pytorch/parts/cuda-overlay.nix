      # CUDA {{ cuda.release }} for torch and all that it links; without this it would be nixpkgs' default toolkit.
      (final: prev: { cudaPackages = final.{{ cuda.attribute }}; })
