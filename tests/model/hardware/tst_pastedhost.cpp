// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/GpuNames.h"
#include "model/hardware/HostText.h"
#include "model/hardware/VariantPicker.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// A text that people paste, and what it says.
struct Pasted {
    const char *tag;
    QByteArray text;
    QString architecture;
    QString isa;      ///< the best one that runs; empty: unknown
    QStringList gpus; ///< "name|capability"
    QString driver;
};

QByteArray table(const QByteArray &heading, const QByteArrayList &rows)
{
    QByteArray text = "+-----------------------------------------------------------------------------------------+\n" +
                      heading +
                      "|-----------------------------------------+------------------------+----------------------+\n"
                      "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
                      "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n"
                      "|=========================================+========================+======================|\n";
    for (const QByteArray &row : rows)
        text += row + "| N/A   40C    P8              4W /  N/A  |      1MiB / 183359MiB  |      0%      Default |\n"
                      "|                                         |                        |             Disabled |\n"
                      "+-----------------------------------------+------------------------+----------------------+\n";
    return text + "| Processes:                                                                              |\n"
                  "|    0   N/A  N/A            2041      G   /usr/lib/xorg/Xorg                        4MiB |\n";
}

const QByteArray armFlags =
    "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop";

QList<Pasted> pastedTexts()
{
    return {
        {"table of 610",
         table("| NVIDIA-SMI 610.43.02         KMD Version: 610.43.02        CUDA UMD Version: 13.3       |\n",
               {"|   0  NVIDIA B200                    On  |   00000000:1B:00.0 Off |                    0 |\n",
                "|   1  NVIDIA B200                    On  |   00000000:43:00.0 Off |                    0 |\n"}),
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA B200|10.0"_s, u"NVIDIA B200|10.0"_s},
         u"610.43.02"_s},
        {"table of 418",
         "| NVIDIA-SMI 418.87.00    Driver Version: 418.87.00    CUDA Version: 10.1     |\n"
         "|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 Off |                    0 |\n",
         u"x86_64-linux"_s,
         {},
         {u"Tesla V100-SXM2...|7.0"_s},
         u"418.87.00"_s},
        {"table with names that were cut",
         table("| NVIDIA-SMI 575.57.08              Driver Version: 575.57.08      CUDA Version: 12.9     |\n",
               {"|   0  NVIDIA RTX PRO 6000 Blac...    Off |   00000000:01:00.0 Off |                  Off |\n",
                "|   1  NVIDIA GeForce RTX 208...      ERR!|   00000000:02:00.0 Off |                 ERR! |\n"}),
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA RTX PRO 6000 Blac...|12.0"_s, u"NVIDIA GeForce RTX 208...|7.5"_s},
         u"575.57.08"_s},
        {"table of a Jetson",
         table("| NVIDIA-SMI 540.4.0                Driver Version: N/A            CUDA Version: 12.6     |\n",
               {"|   0  Orin (nvgpu)                  N/A  | N/A              N/A   |                  N/A |\n"}),
         u"aarch64-linux"_s,
         u"armv8_2"_s,
         {u"Orin (nvgpu)|8.7"_s},
         {}},
        {"table of a Thor with a hidden version",
         table("| NVIDIA-SMI XXX.XX                 Driver Version: XXX.XX         CUDA Version: 13.0     |\n",
               {"|   0  NVIDIA Thor                    Off |   00000000:01:00.0 Off |                  N/A |\n"}) +
             "processor\t: 0\nFeatures\t: " + armFlags +
             " asimddp sve sve2\nCPU implementer\t: 0x41\nCPU part\t: 0xd83\n",
         u"aarch64-linux"_s,
         u"armv9"_s,
         {u"NVIDIA Thor|11.0"_s},
         {}},
        {"a virtual GPU",
         table("| NVIDIA-SMI 535.161.08             Driver Version: 535.161.08     CUDA Version: 12.2     |\n",
               {"|   0  GRID P40-24Q                   On  |   00000000:02:00.0 Off |                  N/A |\n"}),
         u"x86_64-linux"_s,
         {},
         {u"GRID P40-24Q|"_s},
         u"535.161.08"_s},
        {"query without heading, units and capability",
         "0, 580.159.04, NVIDIA H100 80GB HBM3, 81559\n1, 580.159.04, NVIDIA L4, 23034\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA H100 80GB HBM3|9.0"_s, u"NVIDIA L4|8.9"_s},
         u"580.159.04"_s},
        {"query without heading, with the time and the state",
         "2026/03/01 09:12:44.120, NVIDIA GeForce RTX 4090, 00000000:01:00.0, 565.57.01, P8, 31, 0 %, 24564 MiB\n"
         "2026/03/01 09:12:44.122, Tesla T4, 00000000:02:00.0, 565.57.01, P0, 42, 3 %, 15360 MiB\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GeForce RTX 4090|8.9"_s, u"Tesla T4|7.5"_s},
         u"565.57.01"_s},
        {"query of names and ids",
         "GPU-6a4f8c1e-0000-0000-0000-000000000001, NVIDIA B200, Enabled\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA B200|10.0"_s},
         {}},
        {"list with instances",
         "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-1)\n  MIG 1g.20gb     Device  0: (UUID: MIG-2)\n"
         "  MIG 1g.20gb     Device  1: (UUID: MIG-3)\nGPU 1: NVIDIA A100-SXM4-80GB (UUID: GPU-4)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA A100-SXM4-80GB|8.0"_s, u"NVIDIA A100-SXM4-80GB|8.0"_s},
         {}},
        {"list with many instances and a second machine's kind",
         "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n  MIG 1g.10gb     Device  0: (UUID: MIG-1)\n"
         "  MIG 1g.10gb     Device  1: (UUID: MIG-2)\n  MIG 2g.20gb     Device  2: (UUID: MIG-3)\n"
         "GPU 1: NVIDIA A30 (UUID: GPU-2)\n  MIG 4g.24gb     Device  0: (UUID: MIG-4)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA H100 80GB HBM3|9.0"_s, u"NVIDIA A30|8.0"_s},
         {}},
        {"collect_env with three kinds of GPU",
         "OS: Ubuntu 22.04.5 LTS (x86_64)\nGPU models and configuration: \nGPU 0: NVIDIA GeForce RTX 5090\nGPU 1: "
         "NVIDIA GeForce RTX 4090\nGPU 2: NVIDIA GeForce RTX 3090\n\nNvidia driver version: 575.57.08\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GeForce RTX 5090|12.0"_s, u"NVIDIA GeForce RTX 4090|8.9"_s, u"NVIDIA GeForce RTX 3090|8.6"_s},
         u"575.57.08"_s},
        {"collect_env with one GPU",
         "PyTorch version: 2.9.1+cu128\nOS: Debian GNU/Linux 13 (trixie) (x86_64)\nGCC version: (Debian 14.2.0-19) "
         "14.2.0\n"
         "GPU models and configuration: GPU 0: NVIDIA L4\nNvidia driver version: 570.195.03\ncuDNN version: Could not "
         "collect\n\nCPU:\nArchitecture:                         x86_64\nCPU(s):                               8\n"
         "Model name:                           Intel(R) Xeon(R) CPU @ 2.20GHz\n"
         "Flags:                                fpu sse2 lm avx f16c fma avx2 avx512f avx512dq avx512bw avx512vl "
         "avx512_vnni\n",
         u"x86_64-linux"_s,
         u"avx512"_s,
         {u"NVIDIA L4|8.9"_s},
         u"570.195.03"_s},
        {"collect_env of a board",
         "OS: Ubuntu 24.04.2 LTS (aarch64)\nGPU models and configuration: \nGPU 0: HGX GB200\nGPU 1: HGX GB200\n\n"
         "Nvidia driver version: 580.65.06\nCPU:\nVendor ID:                            ARM\nModel name:            "
         "               Neoverse-V2\nFlags:                                " +
             armFlags + " asimddp sve sve2\n",
         u"aarch64-linux"_s,
         u"armv9"_s,
         {u"HGX GB200|10.0"_s, u"HGX GB200|10.0"_s},
         u"580.65.06"_s},
        {"query in an order of its own",
         "driver_version, compute_mode, compute_cap, memory.total [MiB], gpu_name, index\n"
         "570.86.15, Default, 7.0, 12288 MiB, NVIDIA TITAN V, 0\n570.86.15, Default, 8.9, 49140 MiB, NVIDIA L40S, 1\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA TITAN V|7.0"_s, u"NVIDIA L40S|8.9"_s},
         u"570.86.15"_s},
        {"query without units and heading",
         "0, NVIDIA GB10, [N/A], [N/A], [N/A]\n",
         u"aarch64-linux"_s,
         u"armv9"_s,
         {u"NVIDIA GB10|12.1"_s},
         {}},
        {"query without units and heading, of a board and its processor",
         "0, NVIDIA GB10, [N/A], 580.95.05, 12.1\nArchitecture:   aarch64\nVendor ID:   ARM\nModel name:   "
         "Cortex-X925\nFlags:   " +
             armFlags + " asimddp sve sve2\n",
         u"aarch64-linux"_s,
         u"armv9"_s,
         {u"NVIDIA GB10|12.1"_s},
         u"580.95.05"_s},
        {"query with numbers without units",
         "0, NVIDIA GeForce RTX 5090, 32607, 575.64, 12.0\n1, NVIDIA GeForce RTX 3090, 24576, 575.64, 8.6\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GeForce RTX 5090|12.0"_s, u"NVIDIA GeForce RTX 3090|8.6"_s},
         u"575.64"_s},
        {"query with the name last",
         "compute_cap, uuid, driver_version, name\n8.7, GPU-1, 540.5.0, NVIDIA Jetson Orin Nano\n",
         u"aarch64-linux"_s,
         u"armv8_2"_s,
         {u"NVIDIA Jetson Orin Nano|8.7"_s},
         u"540.5.0"_s},
        {"query of names",
         "name\nNVIDIA H200\nNVIDIA H200\n\nuser@box:~$ date\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA H200|9.0"_s, u"NVIDIA H200|9.0"_s},
         {}},
        {"-q",
         "==============NVSMI LOG==============\n\nDriver Version                            : 510.06\n"
         "CUDA Version                              : 11.6\n\nAttached GPUs                             : 1\n"
         "GPU 00000000:01:00.0\n    Product Name                          : NVIDIA GeForce GTX 1650 Ti with Max-Q "
         "Design\n"
         "    Product Architecture                  : Turing\n    Driver Model\n        Current                 : "
         "WDDM\n"
         "    FB Memory Usage\n        Total                             : 4096 MiB\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GeForce GTX 1650 Ti with Max-Q Design|7.5"_s},
         u"510.06"_s},
        {"lspci -nn of a GPU that nvidia-smi does not reach",
         "$ nvidia-smi\nNo devices were found\n$ lspci -nn\n01:00.0 VGA compatible controller [0300]: NVIDIA "
         "Corporation "
         "GB203M / GN22 [GeForce RTX 5090 Max-Q / Mobile] [10de:2c18] (rev a1)\n01:00.1 Audio device [0403]: NVIDIA "
         "Corporation Device [10de:22e9] (rev a1)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GeForce RTX 5090 Max-Q / Mobile|12.0"_s},
         {}},
        {"-q of two GPUs",
         "==============NVSMI LOG==============\n\nDriver Version                            : 418.87.01\n"
         "GPU 00000000:0A:00.0\n    Product Name                    : TITAN RTX\n    Product Brand                   : "
         "Titan\n    FB Memory Usage\n        Total                       : 24190 MiB\n"
         "GPU 00000000:0B:00.0\n    Product Name                    : Tesla P40\n    Minor Number                    : "
         "N/A\n",
         u"x86_64-linux"_s,
         {},
         {u"TITAN RTX|7.5"_s, u"Tesla P40|6.1"_s},
         u"418.87.01"_s},
        {"nvidia-smi does not communicate, lspci without -nn",
         "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest "
         "NVIDIA driver is installed and running.\n\n65:00.0 VGA compatible controller: NVIDIA Corporation GA102 "
         "[GeForce RTX 3090] (rev a1)\n65:00.1 Audio device: NVIDIA Corporation GA102 High Definition Audio "
         "Controller (rev a1)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GeForce RTX 3090|8.6"_s},
         {}},
        {"lspci with a domain",
         "0000:3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 PCIe] (rev a1)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA H100 PCIe|9.0"_s},
         {}},
        {"lspci of a chip without a name",
         "b3:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:ffff] (rev a1)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GPU 10de:ffff|"_s},
         {}},
        {"lspci of a chip that its list does not name yet",
         "0000:c1:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:2901] (rev a1)\n"
         "0000:c2:00.0 VGA compatible controller: NVIDIA Corporation Device 2b85 (rev a1)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GPU 10de:2901|10.0"_s, u"NVIDIA GPU 10de:2b85|12.0"_s},
         {}},
        {"lspci -v, whose flags are no processor's, and lscpu",
         "Architecture:          x86_64\nModel name:            AMD EPYC 7543\nFlags:                 fpu sse2 sse4_2 "
         "avx "
         "avx2 fma f16c bmi2\n01:00.0 3D controller: NVIDIA Corporation GA100 [A100 PCIe 40GB] (rev a1)\n"
         "\tFlags: bus master, fast devsel, latency 0, IRQ 255, NUMA node 0\n\tKernel driver in use: nvidia\n",
         u"x86_64-linux"_s,
         u"avx2"_s,
         {u"NVIDIA A100 PCIe 40GB|8.0"_s},
         {}},
        {"lspci -v alone",
         "01:00.0 3D controller: NVIDIA Corporation GA100 [A100 PCIe 40GB] (rev a1)\n"
         "\tFlags: bus master, fast devsel, latency 0, IRQ 255\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA A100 PCIe 40GB|8.0"_s},
         {}},
        {"lscpu whose flags are cut",
         "Architecture: x86_64\nModel name: Intel(R) Xeon(R) Gold 6430\nFlags: fpu vme de pse sse sse2 sse4_1 "
         "clflu...\n"
         "GPU 0: NVIDIA L4 (UUID: GPU-1)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA L4|8.9"_s},
         {}},
        {"lscpu in German",
         "Architektur:           x86_64\nModellname:            AMD Ryzen 9 7950X\nMarkierungen:          fpu lm sse2 "
         "avx avx2 "
         "fma f16c bmi2\nGPU 0: NVIDIA GeForce RTX 4080 (UUID: GPU-1)\n",
         u"x86_64-linux"_s,
         u"avx2"_s,
         {u"NVIDIA GeForce RTX 4080|8.9"_s},
         {}},
        {"GPUs that are sold with Grace",
         "GPU 0: NVIDIA GH200 480GB (UUID: GPU-1)\n",
         u"aarch64-linux"_s,
         u"armv9"_s,
         {u"NVIDIA GH200 480GB|9.0"_s},
         {}},
        {"uname -m",
         "aarch64\nGPU 0: NVIDIA A100-PCIE-40GB (UUID: GPU-1)\n",
         u"aarch64-linux"_s,
         {},
         {u"NVIDIA A100-PCIE-40GB|8.0"_s},
         {}},
        {"a table of which the list of GPUs is missing",
         "| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |\n"
         "Field \"compute_cap\" is not a valid field to query.\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GPU|"_s},
         u"470.82.01"_s},
        {"columns between tabs, spaces of a web page",
         "NVIDIA L40S\t8.9\t550.54.15\n\xc2\xa0\nArchitecture:\xc2\xa0\xc2\xa0x86_64\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA L40S|8.9"_s},
         u"550.54.15"_s},
        {"names with details",
         "GPU 0: NVIDIA H100 80GB HBM3 MIG 1g.10gb (UUID: GPU-1)\nGPU 1: NVIDIA TITAN Xp COLLECTORS EDITION (UUID: "
         "GPU-2)\n"
         "GPU 2: NVIDIA A100-PG509-200 (UUID: GPU-3)\nGPU 3: NVIDIA GeForce RTX 2050 (UUID: GPU-4)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA H100 80GB HBM3 MIG 1g.10gb|9.0"_s, u"NVIDIA TITAN Xp COLLECTORS EDITION|6.1"_s,
          u"NVIDIA A100-PG509-200|8.0"_s, u"NVIDIA GeForce RTX 2050|8.6"_s},
         {}},
        {"deviceQuery",
         " CUDA Device Query (Runtime API) version (CUDART static linking)\n\nDevice 0: \"Tesla T4\"\n  CUDA Driver "
         "Version "
         "/ Runtime Version          12.8 / 12.6\n  CUDA Capability Major/Minor version number:    7.5\n",
         u"x86_64-linux"_s,
         {},
         {u"Tesla T4|7.5"_s},
         {}},
        {"products without a row",
         "GPU 0: Tesla P100-PCIE-16GB (UUID: GPU-1)\nGPU 1: Tesla K80 (UUID: GPU-2)\nGPU 2: NVIDIA GeForce GTX 980 Ti "
         "(UUID: GPU-3)\nGPU 3: Tesla P... (UUID: GPU-4)\n",
         u"x86_64-linux"_s,
         {},
         {u"Tesla P100-PCIE-16GB|6.0"_s, u"Tesla K80|3.7"_s, u"NVIDIA GeForce GTX 980 Ti|5.2"_s, u"Tesla P...|"_s},
         {}},
        {"lspci -n",
         "00:00.0 0600: 8086:3ec2 (rev 07)\n01:00.0 0300: 10de:2684 (rev a1)\n01:00.1 0403: 10de:22ba (rev a1)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GPU 10de:2684|8.9"_s},
         {}},
        {"library and module differ",
         "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.178\nNVRM version: "
         "NVIDIA "
         "UNIX x86_64 Kernel Module  580.173.02  Tue Jun 23 08:38:17 UTC 2026\nGCC version:  gcc version 14.2.0 "
         "(Debian)\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GPU|"_s},
         u"580.173.02"_s},
        {"library and open module differ, the module first",
         "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.133.07  Release Build\nGCC version:  gcc "
         "version 12.2.0\n$ nvidia-smi\nFailed to initialize NVML: Driver/library version mismatch\nNVML library "
         "version: 570.172\n",
         u"x86_64-linux"_s,
         {},
         {u"NVIDIA GPU|"_s},
         u"570.133.07"_s},
        {"lscpu of a processor without AVX2, cut within avx",
         "Architecture:             x86_64\nVendor ID:                GenuineIntel\n  Model name:             "
         "Intel(R) Core(TM) i5-2400 CPU @ 3.10GHz\n    Flags:                fpu vme de lm sse2 ssse3 cx16 sse4_1 "
         "sse4_2 popcnt aes xsave av\n                          x lahf_lm pti ssbd ibrs\n",
         u"x86_64-linux"_s,
         u"avx"_s,
         {},
         {}},
        {"lscpu of three clusters that all have SVE2",
         "Architecture:                    aarch64\nVendor ID:                       ARM\nModel name:                "
         "      Cortex-A720\nFlags:                           " +
             armFlags +
             " asimddp sve sve2\nModel name:                      Cortex-X4\nFlags:                      "
             "     " +
             armFlags + " asimddp sve sve2 bti\n",
         u"aarch64-linux"_s,
         u"armv9"_s,
         {},
         {}},
        {"lscpu in a terminal",
         "Architecture:            aarch64\n  CPU op-mode(s):        32-bit, 64-bit\nCPU(s):                  "
         "80\nVendor ID: "
         "              ARM\n  Model name:            Neoverse-N1\n    Model:               1\n    Flags:              "
         " " +
             armFlags + " asimddp ssbs\n",
         u"aarch64-linux"_s,
         u"armv8_2"_s,
         {},
         {}},
        {"lscpu, cut between words",
         "Architecture:            aarch64\nVendor ID:               ARM\n  Model name:            Neoverse-N1\n    "
         "Flags:     "
         "          fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid\n                         "
         "asimdrdm "
         "lrcpc dcpop asimddp\n",
         u"aarch64-linux"_s,
         u"armv8_2"_s,
         {},
         {}},
        {"lscpu, cut within a word",
         "Architecture:             x86_64\nCPU(s):                   32\nVendor ID:                AuthenticAMD\n  "
         "Model "
         "name:             AMD Ryzen 9 5950X 16-Core Processor\n    CPU max MHz:          5083,3979\n    Flags:       "
         "      "
         "   fpu lm sse2 fma movbe popcnt aes xsave avx f16c rdrand lahf_lm cmp_legacy extapic cr\n                    "
         "      "
         "8_legacy abm sse4a misalignsse 3dnowprefetch bmi1 av\n                          x2 smep bmi2\n",
         u"x86_64-linux"_s,
         u"avx2"_s,
         {},
         {}},
        {"lscpu of two clusters, without an architecture",
         "CPU(s):                          8\nVendor ID:                       ARM\nModel name:                      "
         "Cortex-X925\nFlags:                           " +
             armFlags +
             " asimddp sve sve2\nModel name:                      Cortex-A720\nFlags:                           " +
             armFlags + " asimddp\n",
         u"aarch64-linux"_s,
         u"armv8_2"_s,
         {},
         {}},
    };
}

/// Read as the program reads it.
Result<HostReport> readPasted(const QByteArray &text)
{
    Result<HostReport> report = readHostText(text, u"box"_s);
    return report ? Result(recognisedByName(*testing::builtInCatalog(), *report)) : report;
}

QStringList gpusOf(const HostReport &report)
{
    QStringList gpus;
    for (const GpuInfo &gpu : report.gpus)
        gpus.append(gpu.name + u'|' + gpu.capability);
    return gpus;
}

} // namespace

/// What people paste of a machine.
class TestPastedHost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void readsUsualTexts_data()
    {
        QTest::addColumn<int>("index");
        const QList<Pasted> texts = pastedTexts();
        for (int i = 0; i < texts.size(); ++i)
            QTest::newRow(texts.at(i).tag) << i;
    }
    void readsUsualTexts()
    {
        QFETCH(int, index);
        const Pasted pasted = pastedTexts().at(index);
        const Result<HostReport> report = readPasted(pasted.text);
        QVERIFY2(report, report ? "" : qPrintable(report.error().sentence()));
        QCOMPARE(gpusOf(*report), pasted.gpus);
        QCOMPARE(report->driver, pasted.driver);
        QCOMPARE(report->architecture, pasted.architecture);
        QCOMPARE(isasThatRun(*testing::builtInCatalog(), *report, Workload::General).value(0), pasted.isa);
        const QString remarks = report->remarks.join(u'\n');
        QVERIFY2(report->gpus.isEmpty() || !remarks.contains(u"no NVIDIA GPU"_s), qPrintable(remarks));
        // What follows from a name is marked, and to be confirmed.
        for (const GpuInfo &gpu : std::as_const(report->gpus)) {
            QCOMPARE(remarks.contains(gpu.name + u" follows from its name"_s), gpu.source.contains(u"by its name"_s));
            QVERIFY(!gpu.source.contains(u"by its name"_s) || !gpu.capability.isEmpty());
        }
    }

    void saysThatNvidiaSmiDoesNotReachTheGpu()
    {
        const auto report = readPasted("No devices were found\n");
        QVERIFY(report);
        QCOMPARE(report->gpus.size(), 1);
        QVERIFY(report->gpus.first().capability.isEmpty());
        QVERIFY(report->remarks.join(u' ').contains(u"does not reach"_s));
    }

    /// Mixtures of the texts, cut anywhere, with other line ends and colours: no GPU is read that none of them has, and
    /// none gets another's architecture.
    void readsNoWrongGpuFromMixtures()
    {
        const QList<Pasted> texts = pastedTexts();
        Fuzzing random(newSeed());
        int read = 0;
        for (int round = rounds(10'000); round > 0; --round) {
            QByteArray all;
            QStringList expected;
            bool isUnreached = false;
            for (int count = 1 + random.below(3); count > 0; --count) {
                const Pasted &one = texts.at(random.below(int(texts.size())));
                QByteArray text = one.text;
                if (random.below(3) == 0)
                    text.truncate(random.below(int(text.size())));
                if (random.below(6) == 0) { // a narrow terminal or a mail
                    for (qsizetype at = 78; at < text.size(); at += 79)
                        text.insert(at, '\n');
                }
                if (random.below(4) == 0)
                    text.replace("\n", "\r\n");
                if (random.below(4) == 0)
                    text.replace("NVIDIA", "\x1b[32mNVIDIA\x1b[0m");
                if (random.below(4) == 0)
                    text.replace("\n", "\n> ");
                if (random.below(4) == 0)
                    text.replace("\n", "\n    ");
                all += "user@box:~$ some command\n" + text + "\n";
                expected += one.gpus;
                isUnreached =
                    isUnreached || text.contains("No devices were found") || text.contains("Failed to initialize NVML");
            }
            const Result<HostReport> report = readPasted(all);
            if (!report) {
                QVERIFY2(!isUnreached, all.constData());
                continue;
            }
            QVERIFY2(!isUnreached || !report->gpus.isEmpty(), all.constData());
            read += int(report->gpus.size());
            for (const GpuInfo &gpu : std::as_const(report->gpus)) {
                const bool known =
                    gpu.capability.isEmpty() || std::ranges::any_of(expected, [&gpu](const QString &one) {
                        const QString name = one.section(u'|', 0, 0);
                        // A cut may leave another product's name: "NVIDIA A10" of A100. It is to be confirmed.
                        if (gpu.source.contains(u"by its name"_s) && name.startsWith(gpu.name) && name != gpu.name)
                            return true;
                        // The chip comes before the product.
                        return one.section(u'|', 1) == gpu.capability &&
                               (name.startsWith(gpu.name) || gpu.name == u"NVIDIA GPU" || gpu.source == u"lspci");
                    });
                QVERIFY2(known, (all + "\n" + gpu.name.toUtf8() + ' ' + gpu.capability.toUtf8()).constData());
            }
        }
        QVERIFY(read > 100);
    }

    void namesOfProducts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("capability");
        const std::pair<const char *, const char *> names[] = {
            {"NVIDIA GeForce RTX 3080 Ti", "8.6"},
            {"NVIDIA GeForce RTX 4070 SUPER", "8.9"},
            {"NVIDIA GeForce RTX 5090 Laptop GPU", "12.0"},
            {"NVIDIA GeForce GTX 1080 Ti", "6.1"},
            {"Tesla T4", "7.5"},
            {"Tesla P100-PCIE-16GB", "6.0"},
            {"NVIDIA A10", "8.6"},
            {"NVIDIA A100-PCIE-40GB", "8.0"},
            {"NVIDIA A100X", "8.0"},
            {"NVIDIA H100 80GB HBM3", "9.0"},
            {"NVIDIA GH200 480GB", "9.0"},
            {"NVIDIA H100 NVL", "9.0"},
            {"Quadro RTX 6000", "7.5"},
            {"NVIDIA RTX 6000 Ada Generation", "8.9"},
            {"NVIDIA RTX A6000", "8.6"},
            {"NVIDIA RTX 4000 SFF Ada Generation", "8.9"},
            {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "12.0"},
            {"NVIDIA GB10", "12.1"},
            {"NVIDIA GB300", "10.3"},
            {"NVIDIA TITAN V", "7.0"},
            {"NVIDIA TITAN RTX", "7.5"},
            {"NVIDIA Graphics Device", ""},
            {"GRID P40-24Q", ""},
            {"NVIDIA A16-2Q", ""},
            {"NVIDIA", ""},
            {"", ""},
            {"...", ""},
            {"NVIDIA ...", ""},
            {"NVIDIA GeForce RTX ...", ""},
            {"NVIDIA GeForce RTX 309...", "8.6"},
            {"Intel Arc A770", ""},
            {"AMD Instinct MI300X", ""}};
        for (const auto &[name, capability] : names)
            QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(capability);
    }
    void namesOfProducts()
    {
        QFETCH(QString, name);
        QFETCH(QString, capability);
        QCOMPARE(capabilityOfName(*testing::builtInCatalog(), name), capability);
    }

    /// A text that has nothing but the name, as a person types it.
    void nothingButAName()
    {
        for (const auto &[text, gpus] :
             {std::pair("NVIDIA GeForce GTX 1080 Ti"_ba, u"NVIDIA GeForce GTX 1080 Ti|6.1"_s),
              {"RTX 5090\n", u"RTX 5090|12.0"_s},
              {"Tesla V100", u"Tesla V100|7.0"_s},
              {"\n  - NVIDIA L40S  \r\n", u"NVIDIA L40S|8.9"_s},
              {"H100", u"H100|9.0"_s},
              {"2x A100", u"A100|8.0 A100|8.0"_s},
              {"NVIDIA GeForce GTX 1080 Ti\nDriver Version: 470.82\n", u"NVIDIA GeForce GTX 1080 Ti|6.1"_s},
              {"NVIDIA Frobnicator 9", u"NVIDIA Frobnicator 9|"_s}}) {
            const Result<HostReport> report = readPasted(text);
            QVERIFY2(report.ok(), text.constData());
            QCOMPARE(gpusOf(*report).join(u' '), gpus);
        }
        QCOMPARE(readPasted("NVIDIA GeForce GTX 1080 Ti\nDriver Version: 470.82\n")->driver, u"470.82"_s);
        for (const char *text : {"", "A note", "NVIDIA", "NVIDIA-SMI 570.86", "We have an RTX 5090.", "p0", "T4 is old",
                                 "Use NVIDIA drivers", "A1\nB2\nx\nx\nx\nx\nx"})
            QVERIFY2(!readPasted(text), text);
        const auto catalog = testing::builtInCatalog();
        for (const GpuRow &row : catalog->rows) {
            for (const QString &product : row.capability.isEmpty() ? QStringList() : row.products) {
                const Result<HostReport> report = readPasted("NVIDIA " + product.toUtf8());
                QVERIFY2(report.ok(), qPrintable(product));
                QCOMPARE(gpusOf(*report), QStringList{u"NVIDIA %1|%2"_s.arg(product, row.capability)});
            }
        }
    }

    /// Each product of each row is recognised as that row's, however its name is decorated.
    void everyProductIsItsRows()
    {
        const auto catalog = testing::builtInCatalog();
        for (const GpuRow &row : catalog->rows) {
            for (const QString &product : row.capability.isEmpty() ? QStringList() : row.products + row.names) {
                for (const QString &name :
                     {product, u"NVIDIA "_s + product, u"NVIDIA GeForce "_s + product + u" Laptop GPU"_s,
                      u"NVIDIA "_s + product + u"-80GB"_s})
                    QVERIFY2(capabilityOfName(*catalog, name) == row.capability, qPrintable(name));
            }
        }
    }
};

TM_TEST(TestPastedHost, QCoreApplication)
#include "tst_pastedhost.moc"
