    # nixpkgs' torch exports the version that it was written for; TORCH_FEATURE_VERSION asserts on the mismatch.
    export PYTORCH_BUILD_VERSION={{ torch.version }}
    echo "{{ torch.version }}" > version.txt
