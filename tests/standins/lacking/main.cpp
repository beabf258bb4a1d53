// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// lacking WHAT[,WHAT...] COMMAND...: runs a command as on a file system that lacks some calls. WHAT:
//   flags    renameat2() with flags: EINVAL, as on sshfs and NFS
//   links    hard links: EPERM, as on vfat and sshfs
//   locks    flock() and locks by fcntl(): ENOLCK, as on NFS without its lock service
//   unnamed  files without a name (O_TMPFILE): EOPNOTSUPP, as on sshfs, NFS and 9p
// The kernel refuses the calls (seccomp) of the command and of all that it starts, whatever library or language makes
// them.
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

class Filter
{
public:
    Filter() { load(offsetof(seccomp_data, nr)); }

    void refuse(unsigned call, unsigned error)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
        fail(error);
    }
    /// Where an argument has one of these bits. Little-endian machines only.
    void refuseBits(unsigned call, unsigned argument, unsigned bits, unsigned error)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
        load(offsetof(seccomp_data, args) + 8 * argument);
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
        fail(error);
        load(offsetof(seccomp_data, nr));
    }
    void refuseValue(unsigned call, unsigned argument, unsigned value, unsigned error)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
        load(offsetof(seccomp_data, args) + 8 * argument);
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        fail(error);
        load(offsetof(seccomp_data, nr));
    }
    bool install()
    {
        m_code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
        sock_fprog program{static_cast<unsigned short>(m_code.size()), m_code.data()};
        return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
    }

private:
    void load(size_t offset) { m_code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset))); }
    void fail(unsigned error) { m_code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error)); }

    std::vector<sock_filter> m_code;
};

} // namespace

int main(int count, char **arguments)
{
    if (count < 3) {
        std::fputs("lacking WHAT[,WHAT...] COMMAND...\n", stderr);
        return 2;
    }
    const std::string what = ',' + std::string(arguments[1]) + ',';
    const auto lacks = [&what](const char *name) { return what.find(',' + std::string(name) + ',') != what.npos; };
    Filter filter;
    if (lacks("flags"))
        filter.refuseBits(SYS_renameat2, 4, ~0U, EINVAL);
    if (lacks("links")) {
#ifdef SYS_link
        filter.refuse(SYS_link, EPERM);
#endif
        filter.refuse(SYS_linkat, EPERM);
    }
    if (lacks("locks")) {
        filter.refuse(SYS_flock, ENOLCK);
        for (const int command : {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW})
            filter.refuseValue(SYS_fcntl, 1, static_cast<unsigned>(command), ENOLCK);
    }
    if (lacks("unnamed")) {
        constexpr unsigned unnamed = O_TMPFILE & ~O_DIRECTORY;
        filter.refuseBits(SYS_openat, 2, unnamed, EOPNOTSUPP);
#ifdef SYS_open
        filter.refuseBits(SYS_open, 1, unnamed, EOPNOTSUPP);
#endif
    }
    if (!filter.install()) {
        std::perror("seccomp");
        return 3;
    }
    ::execvp(arguments[2], arguments + 2);
    std::perror(arguments[2]);
    return 127;
}
