{% if isa.lacks_avx2 %}

    # These need AVX2.
    export USE_FBGEMM=0
    export USE_MKLDNN=0
    export USE_MKLDNN_CBLAS=0
    export USE_NNPACK=0
{% endif %}
{% if gpu.lacks_cudnn %}

    # cuDNN 9.11 and newer need compute capability 7.5.
    export USE_CUDNN=0
{% endif %}
