#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif

#include "platform.h"

#include <signal.h>
#include <time.h>

#if defined(_WIN32)
#include <direct.h>
#include <io.h>
#include <process.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

static volatile sig_atomic_t interrupt_seen = 0;

int interrupted(void)
{
    return interrupt_seen != 0;
}

static void note_interrupt(int number)
{
    (void)signal(number, SIG_DFL);
    interrupt_seen = 1;
}

#if defined(_WIN32)

double seconds_now(void)
{
    return (double)clock() / (double)CLOCKS_PER_SEC;
}

void interrupts_catch(void)
{
    (void)signal(SIGINT, note_interrupt);
}

int is_terminal(FILE *stream)
{
    return _isatty(_fileno(stream)) != 0;
}

int folder_make(const char *path)
{
    (void)_mkdir(path);
    return _access(path, 0);
}

FILE *file_create(const char *path)
{
    return _access(path, 0) == 0 ? NULL : fopen(path, "wb");
}

int file_replace(const char *from, const char *to)
{
    (void)remove(to);
    return rename(from, to);
}

long process_number(void)
{
    return (long)_getpid();
}

#else

double seconds_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void interrupts_catch(void)
{
    struct sigaction action;
    action.sa_handler = note_interrupt;
    action.sa_flags = SA_RESTART;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
}

int is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

int folder_make(const char *path)
{
    struct stat found;
    if (mkdir(path, 0777) == 0) {
        return 0;
    }
    return errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode) ? 0 : -1;
}

FILE *file_create(const char *path)
{
    FILE *stream;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0) {
        return NULL;
    }
    stream = fdopen(descriptor, "wb");
    if (stream == NULL) {
        (void)close(descriptor);
        (void)unlink(path);
    }
    return stream;
}

int file_replace(const char *from, const char *to)
{
    return rename(from, to);
}

long process_number(void)
{
    return (long)getpid();
}

#endif
