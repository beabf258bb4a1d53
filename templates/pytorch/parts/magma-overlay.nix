      # MAGMA reads cudaDeviceProp.clockRate, which CUDA 13.0 removed. Upstream's fix, newer than this revision's MAGMA.
      (final: prev: {
        magma = prev.magma.overrideAttrs (oldAttrs: {
          patches = (oldAttrs.patches or [ ]) ++ [
{% for patch in cuda.magma_patches %}
            (final.fetchpatch {
              name = "{{ patch.name }}";
              url = "{{ patch.url }}";
              hash = "{{ patch.hash }}";
            })
{% endfor %}
          ];
        });
      })
