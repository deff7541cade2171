/* Loaded before the C library: the process is killed in its KILL_AT-th call of those that bring a file to the disk; a
 * write has then got half way. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fatal(void)
{
    static long calls;
    const char *at = getenv("KILL_AT");
    calls++;
    return at != NULL && calls == atol(at);
}

static void die(void)
{
    (void)kill(getpid(), SIGKILL);
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *to)
{
    size_t (*real)(const void *, size_t, size_t, FILE *) =
        (size_t(*)(const void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fwrite");
    if (fileno(to) > 2 && fatal()) {
        (void)real(from, 1, size * count / 2, to);
        (void)fflush(to);
        die();
    }
    return real(from, size, count, to);
}

int fsync(int descriptor)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (fatal()) {
        die();
    }
    return real(descriptor);
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (fatal()) {
        die();
    }
    if (real(from, to) != 0) {
        return -1;
    }
    if (fatal()) {
        die();
    }
    return 0;
}
