    # Both: nixpkgs' torch reads CFLAGS for C and C++ alike. In front, so that what is there already has the last word.
    export CXXFLAGS="${lib.concatStringsSep " " cpuFlags} $CXXFLAGS"
    export CFLAGS="${lib.concatStringsSep " " cpuFlags} $CFLAGS"
