      # Linear algebra on the CPU is {{ blas.title }}'s, for torch and for NumPy beside it.
      (final: prev: {
        blas = prev.blas.override { blasProvider = final.{{ blas.attribute }}; };
        lapack = prev.lapack.override { lapackProvider = final.{{ blas.attribute }}; };
      })
