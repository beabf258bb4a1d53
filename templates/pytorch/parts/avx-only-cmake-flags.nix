    "-DUSE_NNPACK=OFF"
    # ATen compiles AVX2 and AVX-512 kernels wherever the compiler can, whatever cpuFlags say: answer its probes.
    "-DCXX_AVX2_FOUND=FALSE"
    "-DC_AVX2_FOUND=FALSE"
    "-DCXX_AVX512_FOUND=FALSE"
    "-DC_AVX512_FOUND=FALSE"
    "-DCAFFE2_COMPILER_SUPPORTS_AVX512_EXTENSIONS=OFF"
