    # Or it compiles for every GPU of the toolkit: torch's gpuTargets do not reach it.
    export TORCH_CUDA_ARCH_LIST="{{ gpu.capability }}"
