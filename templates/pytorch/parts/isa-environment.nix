    # Both: nixpkgs' torch reads CFLAGS for C and C++ alike. First, so that existing flags override them.
    export CXXFLAGS="${lib.concatStringsSep " " cpuFlags} $CXXFLAGS"
    export CFLAGS="${lib.concatStringsSep " " cpuFlags} $CFLAGS"
