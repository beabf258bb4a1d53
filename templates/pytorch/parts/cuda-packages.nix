  # The caller's nixpkgs with the toolkit of the package's name, for torch and all that it links.
{% if blas.chosen %}
  # Linear algebra on the CPU is {{ blas.title }}'s.
  nixpkgs_cuda = pkgs.extend (final: prev: {
    cudaPackages = final.{{ cuda.attribute }};
    blas = prev.blas.override { blasProvider = final.{{ blas.attribute }}; };
    lapack = prev.lapack.override { lapackProvider = final.{{ blas.attribute }}; };
  });
{% else %}
  nixpkgs_cuda = pkgs.extend (final: prev: { cudaPackages = final.{{ cuda.attribute }}; });
{% endif %}
