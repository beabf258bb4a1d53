  # The caller's nixpkgs with {{ blas.title }} for linear algebra, in torch and in NumPy beside it.
  nixpkgs_blas = pkgs.extend (final: prev: {
    blas = prev.blas.override { blasProvider = final.{{ blas.attribute }}; };
    lapack = prev.lapack.override { lapackProvider = final.{{ blas.attribute }}; };
  });

