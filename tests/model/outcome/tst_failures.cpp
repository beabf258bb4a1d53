// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Process.h"
#include "model/outcome/OutcomeReader.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QSet>
#include <QTemporaryFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;
using Certainty = BuildOutcome::Certainty;

namespace {

const QString failingPackage = u"pytorch-python313-cuda13_0-sm90-avx512"_s;
const QString store = u"/nix/store/0123456789abcdfghijklmnpqrsvwxyz-"_s;

/// What a builder prints, and what is right. `about`: joined by "|"; `text`: in the outcome's words.
struct Printed {
    const char *name;
    const char *log;
    Cause cause;
    const char *about = "";
    const char *text = "";
    Kind kind = Kind::CompileError;
    Certainty certainty = Certainty::Certain;
};

// Spelled as the programs print them, each kind in several versions and orders.
const Printed printed[] = {
    // GPU architectures
    {"nvcc 13, new ninja",
     "[3/41] Building CUDA object core.dir/Cuda.cu.o\nFAILED: [code=1] core.dir/Cuda.cu.o "
     "\n@cuda13.0-cuda_nvcc-13.0.88/bin/nvcc -gencode arch=compute_50,code=sm_50 -gencode arch=compute_80,code=sm_80 "
     "-c Cuda.cu\nnvcc fatal   : Unsupported gpu architecture 'compute_50'\nninja: build stopped: subcommand failed.",
     Cause::GpuArchitecture, "compute_50|13.0"},
    {"nvcc 13, old ninja",
     "FAILED: a.o\n@cuda_nvcc-13.1.2/bin/nvcc -arch=compute_70\nnvcc fatal   : Unsupported gpu architecture "
     "'compute_70'\nninja: build stopped: subcommand failed.",
     Cause::GpuArchitecture, "compute_70|13.1"},
    {"nvcc 12.4, make",
     "@cudatoolkit-12.4.1/bin/nvcc -c x.cu\nnvcc fatal   : Unsupported gpu architecture 'compute_120a'\nmake[2]: *** "
     "[Makefile:12: x.o] Error 1\nmake: *** [Makefile:3: all] Error 2",
     Cause::GpuArchitecture, "compute_120a|12.4"},
    {"nvcc, an old form",
     "nvcc fatal   : Value 'sm_20' is not defined for option 'gpu-architecture'\nmake: *** [x] Error 1",
     Cause::GpuArchitecture, "sm_20|"},
    {"clang as CUDA compiler", "x.cu:1:1: error: unsupported CUDA gpu architecture: sm_121\n1 error generated.",
     Cause::GpuArchitecture, "sm_121|"},
    {"ptxas",
     "ptxas fatal   : Value 'sm_110' is not defined for option 'gpu-name'\nninja: build stopped: subcommand failed.",
     Cause::PtxasArchitecture, "sm_110"},
    {"Triton's ptxas",
     "triton.runtime.errors.PTXASError: PTXAS error: Internal Triton PTX codegen error\n`ptxas` stderr:\nptxas fatal   "
     ": Value 'sm_121a' is not defined for option 'gpu-name'\n\nRepro command: /lib/triton/backends/nvidia/bin/ptxas "
     "--gpu-name=sm_121a /tmp/t.ptx",
     Cause::TritonPtxas, "sm_121a"},
    {"Triton's ptxas, older Triton",
     "  File \"/build/lib/python3.12/site-packages/triton/backends/nvidia/compiler.py\", line 380, in make_cubin\n    "
     "raise RuntimeError(f'{error}\\n'\nRuntimeError: Internal Triton PTX codegen error: \nptxas fatal   : Value "
     "'sm_103a' is not defined for option 'gpu-name'",
     Cause::TritonPtxas, "sm_103a"},
    {"Triton's ptxas, in the middle of tests",
     "tests/test_x.py ..F\nE       triton.runtime.errors.PTXASError: PTXAS error: Internal Triton PTX codegen error\nE "
     "      `ptxas` stderr:\nptxas fatal   : Value 'sm_110a' is not defined for option 'gpu-name'\n=== 1 failed, 2 "
     "passed in 3.21s ===",
     Cause::TritonPtxas, "sm_110a"},
    {"PTX of a newer compiler",
     "ptxas /tmp/a.ptx, line 5; fatal   : Unsupported .version 8.7; current version is '8.4'\nptxas fatal   : Ptx "
     "assembly aborted due to errors",
     Cause::PtxVersion, "8.7|8.4"},
    {"no architectures, setup.py",
     "Traceback (most recent call last):\n  File \"/x/torch/utils/cpp_extension.py\", line 2078, in "
     "_get_cuda_arch_flags\n    arch_list[-1] += '+PTX'\n    ~~~~~~~~~^^^^\nIndexError: list index out of range\nERROR "
     "Backend subprocess exited when trying to invoke build_wheel",
     Cause::NoArchitecture, "", "to 9.0, the capability of this row"},
    {"no architectures, CMake",
     "CMake Error at CMakeLists.txt:12 (project):\n  CMAKE_CUDA_ARCHITECTURES must be non-empty if set.\n\n-- "
     "Configuring incomplete, errors occurred!",
     Cause::NoArchitecture},
    {"no architectures, native",
     "CMake Error in CMakeLists.txt:\n  CUDA_ARCHITECTURES is set to \"native\", but no NVIDIA GPU was detected.\n\n-- "
     "Generating done",
     Cause::NoArchitecture},
    {"no architectures, nvcc", "nvcc fatal   : Unsupported gpu architecture 'compute_'\nmake: *** [x] Error 1",
     Cause::NoArchitecture},
    {"a name for a capability",
     "  File \"/x/torch/utils/cpp_extension.py\", line 2100, in _get_cuda_arch_flags\nValueError: Unknown CUDA arch "
     "(sm_90) or GPU not supported",
     Cause::BadArchitecture, "sm_90"},
    {"PTX that the GPU lacks",
     "FAILED: [code=255] k.cu.o\nnvcc -gencode arch=compute_120,code=sm_120 -c k.cu\nptxas /tmp/k.ptx, line 8; error   "
     ": Instruction 'tcgen05.alloc' not supported on .target 'sm_120'\nptxas fatal   : Ptx assembly aborted due to "
     "errors",
     Cause::GpuFeature, "compute_120"},
    {"a feature that needs a newer GPU",
     "nvcc -arch=sm_75 k.cu\nptxas /tmp/k.ptx, line 8; error   : Feature 'cp.async' requires .target sm_80 or higher",
     Cause::GpuFeature, "sm_75"},
    {"an #error about the GPU",
     "nvcc -arch=compute_61 k.cu\nk.cu(12): error: #error directive: This kernel needs compute capability 7.0 or "
     "higher",
     Cause::GpuFeature, "compute_61"},
    {"half in a header of a dependency",
     "FAILED: [code=1] nccl_extension.cu.o\n@cuda12.6-cuda_nvcc-12.6.85/bin/nvcc -gencode arch=compute_61,code=sm_61 "
     "-c nccl_extension.cu\n@cuda12.6-nccl-2.30.7-1-dev/include/nccl_device/impl/reduce.h(26): error: no operator "
     "\"+\" matches these operands\n            operand types are: const half + const half\n      return a + b;\n      "
     "         ^\n\n1 error detected in the compilation of \"nccl_extension.cu\".\nninja: build stopped: subcommand "
     "failed.",
     Cause::Dependency, "nccl_device/impl/reduce.h|cuda12.6-nccl-2.30.7-1-dev|compute_61", "no operator"},
    {"half in the own source",
     "nvcc -arch=sm_52 x.cu\nx.cu(9): error: no operator \"*\" matches these operands\n            operand types are: "
     "__half * __half\n\n1 error detected in the compilation of \"x.cu\".",
     Cause::GpuFeature, "sm_52", "", Kind::CompileError, Certainty::Likely},
    {"a header of CUTLASS",
     "FAILED: g.o\nnvcc -arch=sm_80 g.cu\n@cutlass-3.9.2/include/cutlass/gemm/device/gemm.h(33): error: namespace "
     "\"cute\" has no member \"tuple\"",
     Cause::Dependency, "cutlass/gemm/device/gemm.h|cutlass-3.9.2|sm_80"},

    {"a name that CMake does not know",
     "CMake Error at cmake/Modules_CUDA_fix/select_compute_arch.cmake:234 (message):\n  Unknown CUDA Architecture Name "
     "sm_90 in CUDA_SELECT_NVCC_ARCH_FLAGS",
     Cause::BadArchitecture, "sm_90"},
    {"Triton's LLVM",
     "'sm_121' is not a recognized processor for this target (ignoring processor)\nLLVM ERROR: Cannot select: "
     "intrinsic %llvm.nvvm.shfl",
     Cause::PtxasArchitecture, "sm_121"},

    // the host's compiler
    {"gcc too new, in one line",
     "@cuda12.2/include/crt/host_config.h:143:2: error: #error -- unsupported GNU version! gcc versions later than 12 "
     "are not supported! The nvcc flag '-allow-unsupported-compiler' can be used",
     Cause::HostCompiler, "GNU|12"},
    {"gcc too new, as CMake wraps it",
     "  error: #error -- unsupported GNU version! gcc versions later than 13 are\n  not supported! The nvcc flag "
     "'-allow-unsupported-compiler' can be used to\n  override this version check\n  # --error 0x1 --\nCall Stack "
     "(most recent call first):\n-- Configuring incomplete, errors occurred!",
     Cause::HostCompiler, "GNU|13"},
    {"gcc too new, split in the middle",
     "  error: #error -- unsupported GNU version! gcc\n  versions later than 14 are not supported!\n-- Configuring "
     "incomplete, errors occurred!",
     Cause::HostCompiler, "GNU|14"},
    {"gcc too new, split twice",
     "  error: -- unsupported GNU\n  version! gcc versions later\n  than 11 are not supported!\n", Cause::HostCompiler,
     "GNU|11"},
    {"clang too new",
     "host_config.h:151:2: error: #error -- unsupported clang version! clang version must be less than 19 and greater "
     "than 3.2 . The nvcc flag",
     Cause::HostCompiler, "clang|19"},
    {"glibc too new",
     "@glibc-2.42-dev/include/bits/mathcalls.h(79): error: exception specification is incompatible with that of "
     "previous function \"cospi\" (declared at line 2601 of math_functions.h)\n  extern double cospi (double __x) "
     "noexcept (true);",
     Cause::HostLibrary, "", "cospi"},
    {"intrinsics of a gcc too new",
     "@gcc-15.1.0/lib/gcc/x86_64-unknown-linux-gnu/15.1.0/include/amxtileintrin.h(42): error: identifier "
     "\"__builtin_ia32_ldtilecfg\" is undefined",
     Cause::HostCompiler, "", "__builtin_ia32", Kind::CompileError, Certainty::Likely},

    // linkers
    {"the driver's library, ld",
     "@binutils-2.41/bin/ld: cannot find -lcuda: No such file or directory\ncollect2: error: ld returned 1 exit "
     "status\nmake: *** [Makefile:598: kobold] Error 1",
     Cause::DriverLibrary, "cuda"},
    {"the driver's library, old ld", "ld: cannot find -lcuda\ncollect2: error: ld returned 1 exit status",
     Cause::DriverLibrary, "cuda"},
    {"the driver's library, lld",
     "ld.lld: error: unable to find library -lcuda\nclang++: error: linker command failed with exit code 1 (use -v to "
     "see invocation)",
     Cause::DriverLibrary, "cuda"},
    {"the driver's library, mold", "mold: fatal: library not found: nvidia-ml", Cause::DriverLibrary, "nvidia-ml"},
    {"a library",
     "ld: cannot find -lcudart_static: No such file or directory\nld: cannot find -lz\ncollect2: error: ld returned 1 "
     "exit status",
     Cause::MissingLibrary, "cudart_static"},
    {"a library, gold", "@binutils/bin/ld.gold: error: cannot find -lcublas", Cause::MissingLibrary, "cublas"},
    {"too large, ld",
     "[1420/1421] Linking CXX shared library lib/libmagma.so\n@glibc-2.37-8/lib/crti.o: in function "
     "`_init':\n(.init+0xb): relocation truncated to fit: R_X86_64_REX_GOTPCRELX against undefined symbol "
     "`__gmon_start__'\ncollect2: error: ld returned 1 exit status",
     Cause::Relocation, "", "R_X86_64_REX_GOTPCRELX"},
    {"too large, lld",
     "ld.lld: error: a.o:(.text+0x1): relocation R_X86_64_PC32 out of range: 2147483788 is not in [-2147483648, "
     "2147483647]",
     Cause::Relocation},
    {"too large, mold",
     "mold: error: a.o:(.text): relocation R_X86_64_PC32 against .bss out of range: 3000000000 is not in [-2147483648, "
     "2147483647]",
     Cause::Relocation},
    {"too large, with context",
     "FAILED: lib/libtorch_cuda.so\n: && g++ -o lib/libtorch_cuda.so\ncrtbeginS.o: in function "
     "`deregister_tm_clones':\ncrtstuff.c:(.text+0x3): relocation truncated to fit: R_X86_64_PC32 against "
     "`.tm_clone_table'\nninja: build stopped: subcommand failed.",
     Cause::Relocation},
    {"a symbol, ld",
     "FAILED: libx.so\nx.o: in function `f()':\nx.cpp:(.text+0x1): undefined reference to `cublasLtCreate'\ncollect2: "
     "error: ld returned 1 exit status",
     Cause::UndefinedReference, "cublasLtCreate"},
    {"a symbol, lld", "ld.lld: error: undefined symbol: ncclCommInitRank\n>>> referenced by x.cpp",
     Cause::UndefinedReference, "ncclCommInitRank"},
    {"a symbol, mold", "mold: error: undefined symbol: magma_init", Cause::UndefinedReference, "magma_init"},
    {"a symbol, nvlink", "nvlink error   : Undefined reference to '_Z3foov' in 'a.o'", Cause::UndefinedReference,
     "_Z3foov"},
    {"a symbol after a warning",
     "ld: warning: libcuda.so.1, needed by libx.so, not found (try using -rpath or -rpath-link)\nld: libx.so: "
     "undefined reference to `cuInit'\ncollect2: error: ld returned 1 exit status",
     Cause::UndefinedReference, "cuInit"},

    // compilers
    {"gcc",
     "FAILED: b.o\ng++ -c b.cpp\n/build/b.cpp:42:7: error: 'f' was not declared in this scope\n   42 |   f(v);\n      "
     "|   ^\n[7/12] Building c.o\nninja: build stopped: subcommand failed.",
     Cause::Compile, "", "'f' was not declared"},
    {"a warning that speaks of errors",
     "FAILED: b.o\nb.cpp:1:1: warning: 'error: x' is never used [-Wunused]\nb.cpp:2:1: note: error: see "
     "here\nb.cpp:3:1: error: no member named 'y'",
     Cause::Compile, "", "no member named 'y'"},
    {"clang", "b.cpp:3:1: error: use of undeclared identifier 'x'\n1 error generated.\nmake: *** [b.o] Error 1",
     Cause::Compile, "", "undeclared identifier"},
    {"the first of the first step",
     "FAILED: a.o\na.cpp:1:1: error: the first\na.cpp:2:1: error: the second\nFAILED: b.o\nb.cpp:1:1: error: of "
     "another\nninja: build stopped: subcommand failed.",
     Cause::Compile, "", "the first"},
    {"a probe before",
     "probe.c:1:1: error: no such thing\n-- Performing Test HAS_X - Failed\nRunning phase: buildPhase\nx.cpp:9:1: "
     "error: the real one\nmake: *** [x.o] Error 1",
     Cause::Compile, "", "the real one"},
    {"Werror",
     "cc1plus: all warnings being treated as errors\nx.cpp:1:2: error: unused variable 'a' [-Werror=unused-variable]",
     Cause::Compile, "", "unused variable"},
    {"nvcc's front end",
     "x.cu(77): error: identifier \"foo\" is undefined\n\n1 error detected in the compilation of \"x.cu\".",
     Cause::Compile, "", "foo"},
    {"a header",
     "x.cpp:1:10: fatal error: cudnn.h: No such file or directory\n    1 | #include <cudnn.h>\ncompilation "
     "terminated.\nmake: *** [x.o] Error 1",
     Cause::MissingHeader, "cudnn.h"},
    {"a header, clang", "x.cpp:1:10: fatal error: 'cuda_runtime.h' file not found\n1 error generated.",
     Cause::MissingHeader, "cuda_runtime.h"},
    {"a header, nvcc", "x.cu(1): error: cannot open source file \"cublas_v2.h\"", Cause::MissingHeader, "cublas_v2.h"},
    {"a header, nvcc's older words", "x.cu(1): catastrophic error: cannot open source file \"nvtx3/nvToolsExt.h\"",
     Cause::MissingHeader, "nvtx3/nvToolsExt.h"},
    {"gcc crashes", "x.cpp:5:1: internal compiler error: Segmentation fault\nPlease submit a full bug report",
     Cause::CompilerCrash},
    {"ptxas crashes", "FAILED: f.o\nnvcc error   : 'ptxas' died due to signal 11 (Invalid memory reference)",
     Cause::CompilerCrash},
    {"Fortran", "x.f90:1:5: Error: Symbol 'a' at (1) has no IMPLICIT type", Cause::Compile, "", "IMPLICIT"},
    {"Rust",
     "error[E0432]: unresolved import `pyo3`\n --> src/lib.rs:1:5\nerror: could not compile `tokenizers` (lib) due to "
     "1 previous error",
     Cause::Compile, "", "unresolved import"},

    // memory and machine
    {"gcc is killed",
     "FAILED: a.o\nc++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.", Cause::Memory,
     "", "Killed", Kind::OutOfMemory},
    {"an old gcc, below CMake",
     "CMake Error at cmake-4.1/Modules/CMakeTestCXXCompiler.cmake:73 (message):\n  The C++ compiler\n\n    "
     "\"/bin/g++\"\n\n  is not able to compile a simple test program.\n\n  It fails with the following output:\n\n    "
     "cc1plus: error: bad value ('znver5') for '-march=' switch\n    cc1plus: note: valid arguments are: nocona\nCall "
     "Stack (most recent call first):\n  CMakeLists.txt:30 (project)",
     Cause::CompilerOption, "'znver5'|'-march='"},
    {"clang's target",
     "clang++: error: unsupported argument 'znver6' to option '-march='\nninja: build stopped: subcommand failed.",
     Cause::CompilerOption, "'znver6'|'-march='"},
    {"nvcc's option", "FAILED: a.o\nnvcc fatal   : Unknown option '--threads-per-file'", Cause::CompilerOption,
     "'--threads-per-file"},
    {"ninja cannot start more", "ninja: fatal: posix_spawn: Resource temporarily unavailable", Cause::Processes, "",
     "posix_spawn", Kind::Failed},
    {"the linker crashes", "collect2: fatal error: ld terminated with signal 7 [Bus error], core dumped",
     Cause::CompilerCrash, "", "signal 7"},
    {"cicc is killed", "Killed\nnvcc error   : 'cicc' died due to signal 9 (Kill signal)", Cause::Memory, "", "Killed",
     Kind::OutOfMemory},
    {"ptxas is killed", "FAILED: [code=255] a.o\nnvcc error   : 'ptxas' died due to signal 9 (Kill signal)",
     Cause::Memory, "", "ptxas", Kind::OutOfMemory},
    {"the linker is killed", "collect2: fatal error: ld terminated with signal 9 [Killed]", Cause::Memory, "",
     "signal 9", Kind::OutOfMemory},
    {"clang runs out", "LLVM ERROR: out of memory\nAllocation failed", Cause::Memory, "", "out of memory",
     Kind::OutOfMemory},
    {"gcc runs out", "cc1plus: out of memory allocating 65536 bytes after a total of 9 bytes", Cause::Memory, "",
     "allocating", Kind::OutOfMemory},
    {"a thrown bad_alloc", "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
     Cause::Memory, "", "bad_alloc", Kind::OutOfMemory},
    {"rustc runs out", "memory allocation of 1073741824 bytes failed", Cause::Memory, "", "memory allocation",
     Kind::OutOfMemory},
    {"ninja's code alone", "[5/9] x\nFAILED: [code=137] a.o\ng++ -c a.cpp\nninja: build stopped: subcommand failed.",
     Cause::Memory, "", "code=137", Kind::OutOfMemory, Certainty::Likely},
    {"make's code alone", "make[1]: *** [x.mk:3: a.o] Error 137\nmake: *** [all] Error 2", Cause::Memory, "", "137",
     Kind::OutOfMemory, Certainty::Likely},
    {"killed in the first step, an error in another",
     "FAILED: a.o\nKilled\n[4/9] Building b\nFAILED: b.o\nb.cpp:1:1: error: x", Cause::Memory, "", "Killed",
     Kind::OutOfMemory},
    {"no memory for TLS is no lack of memory", "ImportError: libgomp.so.1: cannot allocate memory in static TLS block",
     Cause::Compile, "", "static TLS"},
    {"the build directory is full", "x.cpp:1:1: fatal error: error writing to /build/ccAbC.s: No space left on device",
     Cause::BuildDisk, "", "No space", Kind::OutOfDisk},
    {"the build directory is full, ptxas", "ptxas fatal   : Internal error: writing file\nmake[2]: *** [x.o] Error 255",
     Cause::BuildDisk, "", "writing file", Kind::OutOfDisk, Certainty::Likely},
    {"the build directory is full, tar",
     "tar: source/a: Cannot write: No space left on device\ncp: error writing '/tmp/nix-build-x/y': No space left on "
     "device",
     Cause::Disk, "", "No space", Kind::OutOfDisk},
    {"the store is full", "cp: error writing '@python3.13-torch-2.9.1/lib/libtorch.so': No space left on device",
     Cause::StoreDisk, "", "No space", Kind::OutOfDisk},
    {"a Python script and a full disk",
     "Traceback (most recent call last):\n  File \"x.py\", line 3\nOSError: [Errno 28] No space left on device: "
     "'/build/x'",
     Cause::BuildDisk, "", "No space", Kind::OutOfDisk},
    {"illegal instruction, shell", "/build/run.sh: line 3:  77 Illegal instruction     (core dumped) ./gen",
     Cause::IllegalInstruction, "", "", Kind::Failed},
    {"illegal instruction, make", "make: *** [gen.mk:3: out.h] Illegal instruction (core dumped)",
     Cause::IllegalInstruction, "", "", Kind::Failed},
    {"illegal instruction, Python", "subprocess.CalledProcessError: Command '['gen']' died with <Signals.SIGILL: 4>.",
     Cause::IllegalInstruction, "", "", Kind::Failed},
    {"illegal instruction, ninja's code", "FAILED: [code=132] out.h\n./gen out.h", Cause::IllegalInstruction, "", "",
     Kind::Failed, Certainty::Likely},
    {"the disk is full while it compiles",
     "Running phase: buildPhase\nas: can't write 12 bytes to section .text of x.o: 'No space left on device'",
     Cause::BuildDisk, "", "No space", Kind::OutOfDisk},
    {"no more processes",
     "bash: fork: retry: Resource temporarily unavailable\nbash: fork: Resource temporarily unavailable",
     Cause::Processes, "", "", Kind::Failed},

    // CMake and its like
    {"a package of CMake",
     "CMake Error at CMakeLists.txt:3 (find_package):\n  Could not find a package configuration file provided by "
     "\"Torch\" with any of\n  the following names:\n\n    TorchConfig.cmake",
     Cause::CMakePackage, "Torch"},
    {"a module of CMake",
     "CMake Error at CMakeLists.txt:3 (find_package):\n  By not providing \"FindCUDAToolkit.cmake\" in "
     "CMAKE_MODULE_PATH this project has\n  asked CMake to find a package configuration file provided by "
     "\"CUDAToolkit\",",
     Cause::CMakePackage, "CUDAToolkit"},
    {"what CMake could not find",
     "-- Could NOT find OpenSSL (missing: OPENSSL_LIBRARIES)\nCMake Error at "
     "@cmake-3.31.6/share/cmake-3.31/Modules/FindPackageHandleStandardArgs.cmake:233 (message):\n  Could NOT find "
     "CUDNN (missing: CUDNN_LIBRARY_PATH)\nCall Stack (most recent call first):",
     Cause::CMakePackage, "CUDNN"},
    {"CMake without nvcc",
     "CMake Error at @cmake-3.28.3/share/Modules/Internal/CMakeCUDAFindToolkit.cmake:37 (message):\n  Could not find "
     "nvcc executable in path specified by\n  CUDAToolkit_ROOT=@libcublas-12.2",
     Cause::CMakePackage, "nvcc"},
    {"an old source",
     "CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n  Compatibility with CMake < 3.5 has been removed "
     "from CMake.\n\n  Update the VERSION argument",
     Cause::CMakePolicy, "3.5"},
    {"a message of CMake",
     "CMake Error at cmake/Dependencies.cmake:44 (message):\n  Your installed Caffe2 version uses CUDA but I cannot "
     "find the CUDA libraries.",
     Cause::Compile, "", "I cannot find the CUDA libraries"},
    {"a warning of CMake",
     "CMake Warning at a.cmake:1 (message):\n  Could NOT find X\n  error: no\nCMake Error at b.cmake:2 (message):\n  "
     "The real one\n",
     Cause::Compile, "", "The real one"},
    {"meson",
     "Run-time dependency openblas found: NO (tried pkgconfig and cmake)\n../meson.build:12:0: ERROR: Dependency "
     "\"openblas\" not found, tried pkgconfig and cmake",
     Cause::CMakePackage, "openblas"},
    {"a rule of make", "make: *** No rule to make target 'third_party/x.h', needed by 'all'.  Stop.", Cause::NoRule,
     "third_party/x.h"},
    {"a rule of ninja",
     "ninja: error: '../third_party/fmt/fmt.h', needed by 'x.o', missing and no known rule to make it", Cause::NoRule,
     "../third_party/fmt/fmt.h"},
    {"a command", "@stdenv-linux/setup: line 1734: nvcc: command not found", Cause::NoCommand, "nvcc"},
    {"a command, sh", "/bin/sh: 1: git: not found", Cause::NoCommand, "git"},

    // patches
    {"a hunk",
     "Running phase: patchPhase\napplying patch @fix-cmake.patch\npatching file cmake/a.cmake\nHunk #1 FAILED at "
     "12.\n1 out of 1 hunk FAILED -- saving rejects to file cmake/a.cmake.rej",
     Cause::Patch, "fix-cmake.patch|cmake/a.cmake"},
    {"an applied patch",
     "applying patch @x.patch\npatching file setup.py\nReversed (or previously applied) patch detected!  Assume -R? "
     "[n]\nApply anyway? [n]\nSkipping patch.\n1 out of 1 hunk ignored -- saving rejects to file setup.py.rej",
     Cause::Patch, "x.patch|setup.py"},
    {"git apply", "error: patch failed: CMakeLists.txt:40\nerror: CMakeLists.txt: patch does not apply", Cause::Patch,
     "|CMakeLists.txt"},
    {"a file to patch",
     "applying patch @y.patch\ncan't find file to patch at input line 3\nPerhaps you used the wrong -p or --strip "
     "option?",
     Cause::Patch, "y.patch|"},
    {"a hunk among others",
     "applying patch @z.patch\npatching file a.py\nHunk #1 succeeded at 135 with fuzz 1 (offset 44 lines).\nHunk #2 "
     "FAILED at 184.\n1 out of 2 hunks FAILED -- saving rejects to file a.py.rej",
     Cause::Patch, "z.patch|a.py"},
    {"substituteInPlace",
     "substituteStream() in derivation python3.13-torch-2.9.1: ERROR: pattern set\\(CMAKE doesn't match anything in "
     "file 'CMakeLists.txt'",
     Cause::Substitute, "CMakeLists.txt"},

    // Python
    {"a module",
     "Traceback (most recent call last):\n  File \"setup.py\", line 2, in <module>\nModuleNotFoundError: No module "
     "named 'setuptools'\nERROR Backend subprocess exited when trying to invoke get_requires_for_build_wheel",
     Cause::PythonModule, "setuptools"},
    {"a build dependency", "ERROR Missing dependencies:\n\tscikit-build-core>=0.11", Cause::PythonPackage,
     "scikit-build-core>=0.11"},
    {"a dependency at run time",
     "Checking runtime dependencies for x-1.whl\n  - numpy<2 not satisfied by version 2.1.0", Cause::PythonPackage,
     "numpy<2"},
    {"a dependency that is missing", "Checking runtime dependencies for x-1.whl\n  - triton not installed",
     Cause::PythonPackage, "triton"},
    {"pip",
     "ERROR: Could not find a version that satisfies the requirement ninja (from versions: none)\nERROR: No matching "
     "distribution found for ninja",
     Cause::PythonPackage, "ninja"},
    {"two CUDAs",
     "RuntimeError: \nThe detected CUDA version (12.8) mismatches the version that was used to compile\nPyTorch "
     "(13.0). Please make sure to use the same CUDA versions.",
     Cause::CudaMismatch, "12.8|13.0"},
    {"no CUDA", "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.",
     Cause::NoCudaHome},
    {"an import that needs the driver",
     "Executing pythonImportsCheckPhase\nImportError: libcuda.so.1: cannot open shared object file: No such file or "
     "directory",
     Cause::DriverAtRun, "libcuda.so.1"},
    {"another torch", "ImportError: @x/lib/_C.so: undefined symbol: _ZN3c106detail3fooEv", Cause::Abi,
     "_ZN3c106detail3fooEv"},
    {"setup.py's own words", "error: command '/nix/store/x/bin/g++' failed with exit code 1\n", Cause::Unknown, "", "",
     Kind::CompileError, Certainty::None},
    {"an exception",
     "Traceback (most recent call last):\n  File \"tools/gen.py\", line 3, in <module>\n    main()\nKeyError: 'cudnn'",
     Cause::Compile, "", "KeyError: 'cudnn'"},
    {"no ptxas", "RuntimeError: Cannot find ptxas", Cause::NoCommand, "ptxas"},
    {"pytest",
     "FAILED tests/test_a.py::test_b - AssertionError: 1 != 2\n=== 1 failed, 10 passed in 5.10s ===", Cause::Tests},
    {"ctest", "97% tests passed, 2 tests failed out of 60\n\nThe following tests FAILED:\n\t 3 - a (Failed)",
     Cause::Tests},
    {"downloads that came at a third address",
     "trying https://a.example/x.tar.gz\ncurl: (28) Operation timed out\ntrying https://b.example/x.tar.gz\ncurl: (22) "
     "The requested URL returned error: 503\ng++ -c x.cpp\nx.cpp:3:1: error: use of undeclared identifier 'y'\nmake: "
     "*** [x.o] Error 1",
     Cause::Compile, "", "undeclared"},
    {"downloads that came, and a library that is missing",
     "curl: (6) Could not resolve host: a.example\ncurl: (6) Could not resolve host: b.example\nunpacking source "
     "archive x.tar.gz\nld: cannot find -lcudart: No such file or directory\ncollect2: error: ld returned 1 exit "
     "status",
     Cause::MissingLibrary, "cudart"},
    {"downloads that came, and a phase that fails without a word",
     "curl: (28) Operation timed out\ncurl: (28) Operation timed out\nRunning phase: installPhase\nmake: *** [install] "
     "Error 2",
     Cause::Unknown, "", "", Kind::CompileError, Certainty::None},
    {"downloads that did not come",
     "trying https://a.example/x.tar.gz\ncurl: (28) Operation timed out\ntrying https://b.example/x.tar.gz\ncurl: (6) "
     "Could not resolve host: b.example\nerror: cannot download x.tar.gz from any mirror",
     Cause::Message, "", "A download failed", Kind::Network},
    {"a download of a build",
     "Running phase: configurePhase\nCloning into 'cutlass-src'...\nfatal: unable to access "
     "'https://example.org/c.git/': Could not resolve host: example.org\nCMake Error at x.cmake:9 (message):\n  Failed "
     "to clone repository",
     Cause::Sandbox},

    // environments
    {"a collision",
     "warning: creating dangling symlink `@a-env//x' -> `@b/x' -> `../x'\nerror: collision between "
     "`@python3.10-torch-2.0.1-dev/include/pybind11/cast.h' and `@python3.10-pybind11-2.10.4/include/pybind11/cast.h'",
     Cause::Collision, "python3.10-torch-2.0.1-dev|python3.10-pybind11-2.10.4|include/pybind11/cast.h", "",
     Kind::Failed},
    {"a collision, newer words",
     "structuredAttrs is enabled\npkgs.buildEnv error: two given paths contain a conflicting subpath:\n  `@a-1/bin/x' "
     "and\n  `@b-2/bin/x'\nhint: this may be caused by two different versions",
     Cause::Collision, "a-1|b-2|bin/x", "", Kind::Failed},
    {"a collision, older words",
     "collision between ‘@a-1/bin/git’ and ‘@b-2/bin/git’; use ‘nix-env --set-flag priority NUMBER PKGNAME’",
     Cause::Collision, "a-1|b-2|bin/git", "", Kind::Failed},
};

ProcessOutcome endedWith(int code)
{
    ProcessOutcome process;
    process.started = true;
    process.exitCode = code;
    return process;
}

BuildOutcome outcomeOfBytes(const QByteArray &log, int code = 1)
{
    QTemporaryFile file;
    if (!file.open() || file.write(log) != log.size() || !file.flush())
        qFatal("cannot write");
    return outcomeOfLog(file.fileName(), failingPackage, endedWith(code));
}

QString withStore(const char *log)
{
    return QString::fromUtf8(log).replace(u'@', store);
}

QString prefixed(const QString &text, const QString &prefix)
{
    QString all;
    for (const QString &line : text.split(u'\n'))
        all += prefix + line + u'\n';
    return all;
}

const QString failedNew =
    u"error: Cannot build '/nix/store/0123456789abcdfghijklmnpqrsvwxyz-torch-2.9.1.drv'.\n       Reason: builder failed with exit code 1.\n"_s;
const QString failedOld =
    u"error: builder for '/nix/store/0123456789abcdfghijklmnpqrsvwxyz-torch-2.9.1.drv' failed with exit code 1;\n"_s;

/// The ways in which people get to see a builder's lines.
QList<std::pair<QString, QString>> shapesOf(const QString &text)
{
    const QString quoted = prefixed(text, u"       > "_s) + u"       For full logs, run:\n         nix log x.drv\n"_s;
    return {
        {u"flox"_s, prefixed(text, u"torch> "_s) + failedNew + u"make: *** [x] Error 1\n✘ ERROR: Build failed\n"_s},
        {u"nix-build"_s,
         u"building '/nix/store/0123456789abcdfghijklmnpqrsvwxyz-torch-2.9.1.drv'...\n"_s + text + u'\n' + failedOld},
        {u"quoted"_s, failedOld + u"       last 25 log lines:\n"_s + quoted},
        {u"quoted, newer"_s,
         failedNew + u"       Output paths:\n         /nix/store/x-torch\n       Last 25 log lines:\n"_s + quoted},
        {u"quoted by a monitor"_s, prefixed(failedOld + u"       last 25 log lines:\n"_s + quoted, u"┃ "_s)},
        {u"alone"_s, text},
        {u"beside another"_s, prefixed(u"error: of another\nwarning: x"_s, u"nccl> "_s) + prefixed(text, u"torch> "_s) +
                                  failedNew + prefixed(u"x.cpp:1:1: error: interrupted"_s, u"magma> "_s)}};
}

} // namespace

class tst_Failures : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void findsTheCause_data();
    void findsTheCause();
    void readsNixAndFlox_data();
    void readsNixAndFlox();
    void saysWhichToolkit();
    void saysWhatTheCpuLacks();
    void offersRetryWhereItHelps();
    void remarksOnABuilderThatDidNotAnswer();
    void inventsNoCause();
    void mixesNoCauses();
};

void tst_Failures::findsTheCause_data()
{
    QTest::addColumn<int>("row");
    for (int i = 0; i < int(std::size(printed)); ++i)
        QTest::newRow(printed[i].name) << i;
}

void tst_Failures::findsTheCause()
{
    QFETCH(int, row);
    const Printed &right = printed[row];
    const QString text = withStore(right.log);
    for (const auto &[shape, log] : shapesOf(text)) {
        // Colours, and the line ends of a terminal.
        for (const QString &written : {log, QString(log).replace(u'\n', u"\r\n"_s),
                                       QString(log).replace(u"error"_s, u"\x1b[1;31merror\x1b[0m"_s)}) {
            const BuildOutcome outcome = outcomeOfBytes(written.toUtf8());
            const QByteArray what =
                (shape + u": "_s + wordOf(outcome.kind) + u", "_s + wordOf(outcome.cause) + u", "_s +
                 outcome.about.join(u'|') + u", "_s + outcome.text + u"\n"_s + sentenceOf(outcome))
                    .toUtf8();
            QVERIFY2(outcome.cause == right.cause && outcome.kind == right.kind && outcome.certainty == right.certainty,
                     what);
            if (*right.about)
                QVERIFY2(outcome.about == withStore(right.about).split(u'|'), what);
            QVERIFY2((outcome.text + sentenceOf(outcome)).contains(QString::fromUtf8(right.text)), what);
            QVERIFY2(sentenceOf(outcome).endsWith(u'.') && !sentenceOf(outcome).endsWith(u".."_s) &&
                         !sentenceOf(outcome).contains(u".. "_s) && !sentenceOf(outcome).contains(u"%1"_s),
                     what);
            QVERIFY2(outcome.firstError >= 0 && outcome.firstError < written.toUtf8().size(), what);
        }
    }
}

void tst_Failures::readsNixAndFlox_data()
{
    QTest::addColumn<QString>("log");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<Cause>("cause");
    QTest::addColumn<QStringList>("about");
    const auto row = [](const char *name, const char *log, Kind kind, Cause cause, const QStringList &about = {}) {
        QTest::newRow(name) << withStore(log) << kind << cause << about;
    };
    row("a hash below another derivation",
        "error: hash mismatch in fixed-output derivation '@cmake-fix.patch.drv':\n         specified: sha256-AAA=\n    "
        "        got:    sha256-BBB=\nerror: Cannot build '@python3.13-torch-2.8.0.drv'.\n       Reason: 1 dependency "
        "failed.\n       Output paths:\n         @python3.13-torch-2.8.0",
        Kind::HashMismatch, Cause::Hash, {u"cmake-fix.patch"_s, u"sha256-AAA="_s, u"sha256-BBB="_s});
    row("a hash, with the address",
        "error: hash mismatch in fixed-output derivation '@source.drv':\n       likely URL: https://example.org/x\n    "
        "     specified: sha256-AAA=\n            got:    sha256-BBB=\n        expected path: /nix/store/x",
        Kind::HashMismatch, Cause::Hash, {u"source"_s, u"sha256-AAA="_s, u"sha256-BBB="_s});
    row("a hash of an input",
        "error: NAR hash mismatch in input 'github:a/b', expected 'sha256-AAA=' but got 'sha256-BBB='",
        Kind::HashMismatch, Cause::Hash, {u"github:a/b"_s, u"sha256-AAA="_s, u"sha256-BBB="_s});
    row("unfree, old",
        "error: Package ‘cuda_nvcc-12.8’ in @source/pkgs/x.nix:12 has an unfree license (‘CUDA EULA’), refusing to "
        "evaluate.\n\n       a) To temporarily allow unfree packages, you can use an environment variable",
        Kind::EvaluationError, Cause::Unfree, {u"cuda_nvcc-12.8"_s, u"CUDA EULA"_s});
    row("unfree, ASCII",
        "error: Package 'cudnn-9.1' in @s/x.nix:1 has an unfree license ('unfree'), refusing to evaluate.",
        Kind::EvaluationError, Cause::Unfree, {u"cudnn-9.1"_s, u"unfree"_s});
    row("unfree, new",
        "error:\n       … while evaluating a branch condition\n         at @source/lib/x.nix:28:5:\n       error: "
        "Refusing to evaluate package 'libcublas-13.0' in @source/pkgs/x.nix:50 because it has an unfree license "
        "(‘CUDA EULA’)",
        Kind::EvaluationError, Cause::Unfree, {u"libcublas-13.0"_s, u"CUDA EULA"_s});
    row("broken, old",
        "error: Package ‘python3.13-torch-2.9.1’ in /x.nix:3 is marked as broken, refusing to evaluate.\n\n       a) "
        "To temporarily allow broken packages",
        Kind::EvaluationError, Cause::Broken, {u"python3.13-torch-2.9.1"_s});
    row("broken, new", "error: Refusing to evaluate package 'magma-2.9.0' in /x.nix:3 because it is marked as broken",
        Kind::EvaluationError, Cause::Broken, {u"magma-2.9.0"_s});
    row("insecure",
        "error: Package ‘openssl-1.1.1w’ in /x.nix:3 is marked as insecure, refusing to evaluate.\n\n\n       Known "
        "issues:\n        - OpenSSL 1.1 is end of life\n        - CVE-2024-1\n\n       You can install it anyway",
        Kind::EvaluationError, Cause::Insecure,
        {u"openssl-1.1.1w"_s, u"OpenSSL 1.1 is end of life"_s, u"CVE-2024-1"_s});
    row("problems",
        "error:\n       … while evaluating the attribute 'drvPath'\n       error: Refusing to evaluate package "
        "'python3.14-torch-2.13.0' because it has problems:\n       - unsupported-cuda-version (kind \"broken\"): "
        "cudaPackages is too old (13.2).\n         PyTorch expects cuda-bindings>=13.0.3, current is 12.9.7.\n\n       "
        "See also https://example.org/manual",
        Kind::EvaluationError, Cause::Problems,
        {u"python3.14-torch-2.13.0"_s,
         u"unsupported-cuda-version (kind \"broken\"): cudaPackages is too old (13.2). PyTorch expects cuda-bindings>=13.0.3, current is 12.9.7."_s});
    row("problems, two of them",
        "error: Refusing to evaluate package 'x-1' in /p.nix:1 because it has problems:\n       - a (kind \"broken\"): "
        "first\n       - b (kind \"removal\"): second\n       See also y",
        Kind::EvaluationError, Cause::Problems,
        {u"x-1"_s, u"a (kind \"broken\"): first"_s, u"b (kind \"removal\"): second"_s});
    row("a system",
        "error: Package ‘nccl-2.2’ in /x.nix:1 is not available on the requested hostPlatform:\n         "
        "hostPlatform.system = \"aarch64-linux\"",
        Kind::EvaluationError, Cause::UnsupportedSystem, {u"nccl-2.2"_s});
    row("no GPU targets", "error: No supported GPU targets specified. Requested GPU targets: 5.0",
        Kind::EvaluationError, Cause::NoArchitecture);
    row("an untracked file", "error: path '@source/.flox/pkgs/lib/mk.nix' does not exist", Kind::EvaluationError,
        Cause::UntrackedFile);
    row("an untracked file, newer Nix",
        "error: Path '.flox/pkgs/lib/mk.nix' in the repository \"/r\" is not tracked by Git.\n\n       To make it "
        "visible to Nix, run:",
        Kind::EvaluationError, Cause::UntrackedFile, {u".flox/pkgs/lib/mk.nix"_s});
    row("an absolute path",
        "error: access to absolute path '/home/x/y.nix' is forbidden in pure evaluation mode (use '--impure' to "
        "override)",
        Kind::EvaluationError, Cause::AbsolutePath, {u"/home/x/y.nix"_s});
    row("silence",
        "torch> [9/10] Linking\nerror: building of '@torch-2.9.1.drv' timed out after 3600 seconds of silence",
        Kind::TimeLimit, Cause::Silence, {u"3600"_s});
    row("a limit", "torch> [9/10] Linking\nerror: building of '@torch-2.9.1.drv' timed out after 43200 seconds",
        Kind::TimeLimit, Cause::Timeout, {u"43200"_s});
    row("silence, newer Nix",
        "torch> x\nerror: Cannot build '@torch-2.9.1.drv'.\n       Reason: timed out after 900 seconds of silence.",
        Kind::TimeLimit, Cause::Silence, {u"900"_s});
    row("the store is full", "error: writing to file: No space left on device", Kind::OutOfDisk, Cause::StoreDisk);
    row("Nix guesses",
        "torch> cp x y\nerror: builder for '@torch-2.9.1.drv' failed with exit code 1\nnote: build failure may have "
        "been caused by lack of free disk space",
        Kind::OutOfDisk, Cause::Disk);
    row("the builder is killed",
        "torch> x\nerror: Cannot build '@torch-2.9.1.drv'.\n       Reason: builder failed due to signal 9 (Killed).",
        Kind::OutOfMemory, Cause::Memory);
    row("an illegal instruction",
        "torch> x\nerror: builder for '@torch-2.9.1.drv' failed due to signal 4 (Illegal instruction)", Kind::Failed,
        Cause::IllegalInstruction);
    row("exit code 137", "torch> x\nerror: builder for '@torch-2.9.1.drv' failed with exit code 137", Kind::OutOfMemory,
        Cause::Memory);
    row("an address that is gone", "error: unable to download 'https://example.org/x': HTTP error 404", Kind::Network,
        Cause::NotFound);
    row("a server that fails", "error: unable to download 'https://example.org/x': HTTP error 503", Kind::Network,
        Cause::Message);
    row("the environment, publishing",
        "✘ ERROR: The environment is in an unsupported state for publishing:\nThe following environment files are not "
        "tracked by git:\n- .flox/env.json\n\nThe build repository must satisfy a few requirements",
        Kind::Untracked, Cause::EnvironmentUntracked, {u".flox/env.json"_s});
    row("the environment, older flox",
        "✘ ERROR: The environment is in an unsupported state for publishing: could not find environment pointer file",
        Kind::Untracked, Cause::EnvironmentUntracked);
    row("a collision, from Nix",
        "error: files '@a-1/bin/x' and '@b-2/bin/x' have the same priority 5; use 'nix-env --set-flag priority NUMBER "
        "INSTALLED_PKGNAME'",
        Kind::Failed, Cause::Collision, {u"a-1"_s, u"b-2"_s, u"bin/x"_s});
    row("a letter is lost",
        "rrayfire>   error: #error -- unsupported GNU version! gcc versions later than 12 are\narrayfire>   not "
        "supported! The nvcc flag '-allow-unsupported-compiler' can be used to\narrayfire> -- Configuring incomplete, "
        "errors occurred!\nerror: builder for '@arrayfire-3.9.0.drv' failed with exit code 1;",
        Kind::CompileError, Cause::HostCompiler, {u"GNU"_s, u"12"_s});
    row("lines without the Python in front",
        "pytorch-cpu> FAILED: a.o\npytorch-cpu> a.cpp:1:1: fatal error: x.h: No such file or directory\nerror: builder "
        "for '@python3.13-pytorch-cpu-2.9.1.drv' failed with exit code 1;\n       last 1 log lines:\n       > ninja: "
        "build stopped: subcommand failed.",
        Kind::CompileError, Cause::MissingHeader, {u"x.h"_s});
    row("the log does not say why",
        "torch> copying\ntorch> done with that\nerror: Cannot build '@torch-2.9.1.drv'.\n       Reason: builder failed "
        "with exit code 1.",
        Kind::Failed, Cause::Unknown);
    QTest::newRow("the daemon ended") << u"python3.13-torch> [4801/7312] Building x.o\nerror: Nix daemon disconnected "
                                         "unexpectedly (maybe it crashed?)"_s
                                      << Kind::Failed << Cause::NixDaemon << QStringList();
    QTest::newRow("no daemon")
        << u"error: cannot connect to socket at '/nix/var/nix/daemon-socket/socket': Connection refused"_s
        << Kind::Failed << Cause::NixDaemon << QStringList();
    QTest::newRow("a limit of requests")
        << u"error: unable to download 'https://api.example.org/x': HTTP error 403\n       response body:\n       "
           "{\"message\":\"API rate limit exceeded for 192.0.2.1.\"}"_s
        << Kind::Network << Cause::RateLimit << QStringList();
    QTest::newRow("a reference that is not allowed")
        << u"error: output '/nix/store/8a3p-python3.13-torch-2.9.1' is not allowed to refer to the following paths:\n  "
           u"   "
           "    /nix/store/zz-cuda_nvcc-12.8.93"_s
        << Kind::Failed << Cause::Reference << QStringList{u"python3.13-torch-2.9.1"_s, u"cuda_nvcc-12.8.93"_s};
    QTest::newRow("flox's own word before Nix's")
        << u"\u274c ERROR: failed to build torch\n\nerror:\n       \u2026 while calling a functor\n\n       error: "
           "undefined variable 'cudaCapabilites'\n       at /x/.flox/pkgs/torch.nix:42:9:"_s
        << Kind::EvaluationError << Cause::Message << QStringList();
}

void tst_Failures::readsNixAndFlox()
{
    QFETCH(QString, log);
    QFETCH(Kind, kind);
    QFETCH(Cause, cause);
    QFETCH(QStringList, about);
    for (const QString &written : {log, QString(log).replace(u'\n', u"\r\n"_s), prefixed(log, u"┃ "_s),
                                   QString(log).replace(u"error:"_s, u"\x1b[31;1merror:\x1b[0m"_s)}) {
        const BuildOutcome outcome = outcomeOfBytes(written.toUtf8());
        const QByteArray what = (wordOf(outcome.kind) + u", "_s + wordOf(outcome.cause) + u", "_s +
                                 outcome.about.join(u'|') + u", "_s + outcome.text + u"\n"_s + sentenceOf(outcome))
                                    .toUtf8();
        QVERIFY2(outcome.kind == kind && outcome.cause == cause, what);
        if (!about.isEmpty())
            QVERIFY2(outcome.about == about, what);
        QVERIFY2(sentenceOf(outcome).endsWith(u'.') && !sentenceOf(outcome).endsWith(u".."_s) &&
                     !sentenceOf(outcome).contains(u".. "_s),
                 what);
        QVERIFY2(outcome.certainty != Certainty::None || sentenceOf(outcome).contains(u"does not say why"), what);
        const QString brief = shortCauseOf(outcome);
        QVERIFY2(!brief.isEmpty() && brief.size() <= 60 && !brief.contains(u'\n') && !brief.endsWith(u':'),
                 qPrintable(brief));
    }
}

/// The last toolkit that knows an old GPU, the first that knows a new one.
void tst_Failures::saysWhichToolkit()
{
    const auto remedy = [](const QString &architecture, const QString &toolkit) {
        return remedyOf(
            outcomeOfBytes(u"torch> /cuda-%2/bin/nvcc\ntorch> nvcc fatal   : Unsupported gpu architecture '%1'\n"_s
                               .arg(architecture, toolkit)
                               .toUtf8()));
    };
    QVERIFY(remedy(u"compute_50"_s, u"13.0"_s).contains(u"CUDA 12.9 is the last"));
    QVERIFY(remedy(u"compute_70"_s, u"13.1"_s).contains(u"CUDA 12.9 is the last"));
    QVERIFY(remedy(u"compute_35"_s, u"12.4"_s).contains(u"CUDA 11.8 is the last"));
    QVERIFY(remedy(u"compute_120"_s, u"12.4"_s).contains(u"CUDA 12.8 is the first"));
    QVERIFY(remedy(u"compute_103a"_s, u"12.8"_s).contains(u"CUDA 12.9 is the first"));
    QVERIFY(remedy(u"compute_999"_s, u"13.1"_s).contains(u"a toolkit that knows it"));
}

void tst_Failures::saysWhatTheCpuLacks()
{
    BuildOutcome outcome;
    outcome.cause = Cause::IllegalInstruction;
    outcome.package = u"pytorch-python313-cpu-avx512bf16"_s;
    const QByteArray cpu = "processor\t: 0\nflags\t\t: fpu avx avx2 fma f16c avx512f avx512dq avx512vl avx512bw\n";
    QCOMPARE(judgedByCpu(outcome, cpu).about, QStringList{u"avx512_bf16"_s});
    QVERIFY(sentenceOf(judgedByCpu(outcome, cpu)).contains(u"avx512_bf16"));
    QCOMPARE(judgedByCpu(outcome, "nothing"), outcome);
    outcome.package = u"other"_s;
    QCOMPARE(judgedByCpu(outcome, cpu), outcome);
}

void tst_Failures::offersRetryWhereItHelps()
{
    BuildOutcome outcome;
    outcome.kind = Kind::CompileError;
    outcome.cause = Cause::GpuArchitecture;
    QCOMPARE(retryOf(outcome), Retry::Useless);
    QCOMPARE(retryText(outcome), QString());
    outcome.kind = Kind::OutOfMemory;
    outcome.cause = Cause::Memory;
    QCOMPARE(retryText(outcome), u"Retry"_s);
    outcome.fewerCores = 8;
    QCOMPARE(retryText(outcome), u"Retry with 8 cores"_s);
    QVERIFY(sentenceOf(outcome).contains(u"--cores 8"));
    outcome.kind = Kind::Network;
    outcome.cause = Cause::NotFound;
    QCOMPARE(retryOf(outcome), Retry::Useless);
    for (const Kind kind : {Kind::Lost, Kind::Stopped, Kind::OutOfDisk, Kind::TimeLimit}) {
        BuildOutcome other;
        other.kind = kind;
        QCOMPARE(retryText(other), u"Retry"_s);
    }
}

void tst_Failures::remarksOnABuilderThatDidNotAnswer()
{
    const BuildOutcome outcome = outcomeOfBytes(
        "cannot build on 'ssh-ng://b@host.example': error: cannot open connection to remote store "
        "'ssh-ng://b@host.example': error: unexpected end-of-file\nbuilding '/nix/store/0-x.drv'...\n/nix/store/0-x\n",
        0);
    QCOMPARE(outcome.kind, Kind::Built);
    QCOMPARE(remarkOf(outcome), u"the builder ssh-ng://b@host.example did not answer"_s);
    QVERIFY2(sentenceOf(outcome).startsWith(failingPackage + u" is built."_s), qPrintable(sentenceOf(outcome)));
}

/// Mixtures of the texts, cut anywhere: no crash, and no cause whose words are not in the log.
void tst_Failures::inventsNoCause()
{
    QRandomGenerator random(11);
    QStringList lines;
    for (const Printed &one : printed)
        lines += withStore(one.log).split(u'\n');
    const auto below = [&random](qsizetype most) { return qsizetype(random.bounded(int(most))); };
    for (int round = 0; round < 10'000; ++round) {
        QString log;
        const int count = 1 + int(below(9));
        const QStringList prefixes{QString(), u"torch> "_s, u"nccl> "_s, u"       > "_s, u"┃ "_s};
        const QString &prefix = prefixes.at(below(prefixes.size()));
        for (int i = 0; i < count; ++i) {
            QString line = lines.at(below(lines.size()));
            if (below(4) == 0)
                line = line.sliced(below(line.size() + 1));
            if (below(8) == 0)
                line = QString(below(9), u' ') + line;
            if (below(8) == 0) // wrapped by a narrow terminal
                line.insert(below(line.size() + 1), u'\n' + prefix);
            if (below(6) == 0)
                line = u"\x1b[31m"_s + line + u"\x1b[0m"_s;
            log += (below(9) == 0 ? QString() : prefix) + line + (below(5) == 0 ? u"\r\n"_s : u"\n"_s);
            if (below(12) == 0)
                log += failedNew;
        }
        OutcomeReader reader(failingPackage);
        QString seen;
        for (QString line : log.split(u'\n')) {
            line.remove(u"\x1b[31m"_s).remove(u"\x1b[0m"_s).remove(u'\r');
            if (QStringView(line).trimmed().isEmpty())
                continue;
            reader.read(line);
            seen += u' ' + line.remove(u"┃ "_s).simplified();
        }
        seen = seen.simplified();
        const BuildOutcome outcome = reader.outcome(endedWith(1), {});
        QVERIFY(outcome.kind != Kind::Built && !sentenceOf(outcome).isEmpty() && sentenceOf(outcome).size() < 2000);
        if (outcome.cause == Cause::GpuArchitecture || outcome.cause == Cause::MissingLibrary ||
            outcome.cause == Cause::MissingHeader || outcome.cause == Cause::UndefinedReference ||
            outcome.cause == Cause::PythonModule || outcome.cause == Cause::Patch)
            QVERIFY2(QString(seen).remove(u' ').contains(QString(outcome.about.constFirst()).remove(u' ')),
                     qPrintable(log + u"\n=> "_s + sentenceOf(outcome)));
        for (const QString &word : QString(outcome.text).remove(u'…').split(u' ', Qt::SkipEmptyParts))
            QVERIFY2(seen.contains(QString(word).remove(u'(').remove(u')')) || seen.contains(word) || word == u"code" ||
                         word == u"exit",
                     qPrintable(log + u"\n=> "_s + sentenceOf(outcome) + u" / "_s + word));
    }
}

/// Whole texts, one or two after another, indented, wrapped, with other line ends, cut between lines: what is certain
/// is a cause of one of them.
void tst_Failures::mixesNoCauses()
{
    QRandomGenerator random(12);
    const auto below = [&random](qsizetype most) { return qsizetype(random.bounded(int(most))); };
    const auto causesIn = [](const QString &text) {
        QSet<Cause> causes{Cause::Compile, Cause::Unknown, Cause::None};
        QString before;
        for (const QString &line : text.split(u'\n')) {
            for (const QString &one : {line, QString(before + u' ' + line.trimmed())}) {
                if (const auto found = exactFailureIn(one))
                    causes.insert(found->cause);
            }
            before = line.trimmed();
        }
        return causes;
    };
    int right = 0;
    int whole = 0;
    for (int round = 0; round < 4'000; ++round) {
        QSet<Cause> allowed;
        QString log;
        const Printed *alone = nullptr;
        for (qsizetype count = 1 + below(2); count > 0; --count) {
            const Printed &one = printed[below(std::size(printed))];
            alone = log.isEmpty() && count == 1 ? &one : nullptr;
            log += withStore(one.log) + u'\n';
            allowed.insert(one.cause);
        }
        allowed.unite(causesIn(log));
        if (below(3) == 0) { // cut between lines
            QStringList lines = log.split(u'\n');
            lines = lines.mid(below(lines.size()));
            log = lines.join(u'\n');
            alone = nullptr;
        }
        if (below(3) == 0) { // a narrow terminal
            const qsizetype width = 60 + below(60);
            QStringList wrapped;
            for (QString line : log.split(u'\n')) {
                for (; line.size() > width; line = line.sliced(width))
                    wrapped.append(line.first(width));
                wrapped.append(line);
            }
            log = wrapped.join(u'\n');
            alone = nullptr;
            if (allowed.contains(Cause::DriverLibrary)) // "-lc" of "-lcuda" is a library, too.
                allowed.insert(Cause::MissingLibrary);
            allowed.insert(Cause::Dependency); // What is left of a sentence about a header is about a header.
        }
        const QStringList before{QString(), u"torch> "_s, u"┃ "_s, u"    "_s};
        const QString &prefix = before.at(below(before.size()));
        log = prefixed(log, prefix);
        if (below(4) == 0)
            log.replace(u'\n', u"\r\n"_s);
        OutcomeReader reader(failingPackage);
        for (QString line : log.split(u'\n')) {
            if (!QStringView(line).trimmed().isEmpty())
                reader.read(line.remove(u'\r'));
        }
        const BuildOutcome outcome = reader.outcome(endedWith(1), {});
        const QString what = log + u"\n=> "_s + wordOf(outcome.cause) + u' ' + sentenceOf(outcome);
        QVERIFY2(outcome.certainty != Certainty::Certain || allowed.contains(outcome.cause) ||
                     outcome.cause == Cause::Message || outcome.kind == Kind::OutOfDisk,
                 qPrintable(what));
        if (alone && !prefix.startsWith(u"  ")) {
            ++whole;
            right += outcome.cause == alone->cause;
        }
    }
    QCOMPARE(right, whole);
}

TM_TEST(tst_Failures, QCoreApplication)
#include "tst_failures.moc"
