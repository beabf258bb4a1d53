    # nixpkgs' torch exports its own version; an assertion of TORCH_FEATURE_VERSION fails on the mismatch.
    export PYTORCH_BUILD_VERSION={{ torch.version }}
    echo "{{ torch.version }}" > version.txt
