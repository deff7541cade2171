#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif

#include "platform.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>

#include <direct.h>
#include <io.h>
#include <process.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(_POSIX_THREADS) && _POSIX_THREADS > 0
#define HAS_PTHREADS
#include <pthread.h>
#endif
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
    (void)signal(SIGTERM, note_interrupt);
}

void writes_fail_softly(void)
{
}

int reader_left(FILE *stream)
{
    (void)stream;
    return 0;
}

int is_terminal(FILE *stream)
{
    return _isatty(_fileno(stream)) != 0;
}

int terminal_width(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    HANDLE handle = (HANDLE)_get_osfhandle(_fileno(stream));
    return GetConsoleScreenBufferInfo(handle, &info) ? info.srWindow.Right - info.srWindow.Left + 1 : 0;
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

int file_settle(FILE *stream)
{
    return _commit(_fileno(stream));
}

int file_replace(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : -1;
}

size_t file_length(FILE *stream)
{
    (void)stream;
    return 0;
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
    (void)sigaction(SIGTERM, &action, NULL);
}

void writes_fail_softly(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
}

int reader_left(FILE *stream)
{
    /* The error that counts is long past: the next byte has it again. */
    clearerr(stream);
    errno = 0;
    return (fputc('\n', stream) == EOF || fflush(stream) != 0) && errno == EPIPE;
}

int is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

int terminal_width(FILE *stream)
{
#if defined(TIOCGWINSZ)
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
#else
    (void)stream;
    return 0;
#endif
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

int file_settle(FILE *stream)
{
    /* There is nothing to settle of a device or a pipe. */
    return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == EROFS ? 0 : -1;
}

/* The name of a file is on the disk when its folder is. */
static void folder_settle(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *folder = calloc(length + 2, 1);
    int descriptor;
    if (folder == NULL) {
        return;
    }
    memcpy(folder, length == 0 ? "." : path, length == 0 ? 1 : length);
    descriptor = open(folder, O_RDONLY);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        (void)close(descriptor);
    }
    free(folder);
}

int file_replace(const char *from, const char *to)
{
    if (rename(from, to) != 0) {
        return -1;
    }
    folder_settle(to);
    return 0;
}

size_t file_length(FILE *stream)
{
    struct stat found;
    return fstat(fileno(stream), &found) == 0 && S_ISREG(found.st_mode) ? (size_t)found.st_size : 0;
}

long process_number(void)
{
    return (long)getpid();
}

#endif

/* One call of threads_run. */
typedef struct {
    void (*task)(void *context, size_t k);
    void *context;
    size_t k;
} thread_call;

#if defined(_WIN32)

typedef HANDLE thread;

static unsigned __stdcall thread_body(void *call)
{
    const thread_call *own = call;
    own->task(own->context, own->k);
    return 0;
}

static int thread_begin(thread *t, thread_call *call)
{
    *t = (HANDLE)_beginthreadex(NULL, 0, thread_body, call, 0, NULL);
    return *t != NULL;
}

static void thread_end(thread t)
{
    (void)WaitForSingleObject(t, INFINITE);
    (void)CloseHandle(t);
}

#define HAS_THREADS 1

#elif defined(HAS_PTHREADS)

typedef pthread_t thread;

static void *thread_body(void *call)
{
    const thread_call *own = call;
    own->task(own->context, own->k);
    return NULL;
}

static int thread_begin(thread *t, thread_call *call)
{
    return pthread_create(t, NULL, thread_body, call) == 0;
}

static void thread_end(thread t)
{
    (void)pthread_join(t, NULL);
}

#define HAS_THREADS 1

#else

typedef int thread;

static int thread_begin(thread *t, thread_call *call)
{
    (void)t;
    (void)call;
    return 0;
}

static void thread_end(thread t)
{
    (void)t;
}

#define HAS_THREADS 0

#endif

int threads_here(void)
{
    return HAS_THREADS;
}

uint32_t processors_here(void)
{
    long count = 1;
#if defined(_WIN32)
    SYSTEM_INFO machine;
    GetSystemInfo(&machine);
    count = (long)machine.dwNumberOfProcessors;
#elif defined(_SC_NPROCESSORS_ONLN)
    count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count > 1 ? (uint32_t)(count < 1024 ? count : 1024) : 1;
}

void threads_run(size_t count, void (*task)(void *context, size_t k), void *context)
{
    thread *threads = count > 1 ? calloc(count, sizeof *threads) : NULL;
    thread_call *calls = count > 1 ? calloc(count, sizeof *calls) : NULL;
    size_t begun = 0;
    size_t k;
    /* The first call is made here. */
    for (k = 1; threads != NULL && calls != NULL && k < count; k++) {
        calls[k].task = task;
        calls[k].context = context;
        calls[k].k = k;
        if (!thread_begin(&threads[k], &calls[k])) {
            break;
        }
        begun = k;
    }
    if (count > 0) {
        task(context, 0);
    }
    for (k = begun + 1; k < count; k++) {
        task(context, k);
    }
    for (k = 1; k <= begun; k++) {
        thread_end(threads[k]);
    }
    free(threads);
    free(calls);
}
