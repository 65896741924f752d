#define _GNU_SOURCE
#include "CStart.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

long long vigil_address_space_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return (long long)limit.rlim_cur;
}

int vigil_has_address_space(unsigned long long bytes) {
  if (bytes == 0) return 1;
  void *space = mmap(0, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return 0;
  munmap(space, bytes);
  return 1;
}

void vigil_alarm(long milliseconds) {
  struct itimerval timer = {.it_value = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000}};
  setitimer(ITIMER_REAL, &timer, 0);
}

#ifdef __linux__
static const char one_thread[] = "OPENBLAS_NUM_THREADS=1";

static int is_set(char **environment) {
  size_t name = strcspn(one_thread, "=") + 1;
  for (char **variable = environment; *variable; variable++)
    if (strncmp(*variable, one_thread, name) == 0) return 1;
  return 0;
}

/* Runs before the constructors of libraries. OpenBLAS starts its threads in one, each with a large buffer; where there
 * is no room for these it waits for ever or crashes. A variable of the environment prevents it, and only a process that
 * begins with it has it there. */
static void begin(int count, char **arguments, char **environment) {
  (void)count;
  long long limit = vigil_address_space_limit();
  if (limit < 0) return;
  if (limit < VIGIL_LEAST_ADDRESS_SPACE) {
    char text[256];
    int length = snprintf(
        text, sizeof text,
        "vigil: not enough memory: the limit of the address space is %lld MiB, and %lld MiB are needed; raise it"
        " (ulimit -v)\n",
        limit >> 20, VIGIL_LEAST_ADDRESS_SPACE >> 20);
    ssize_t written = write(2, text, (size_t)length);
    (void)written;
    _exit(70);
  }
  if (is_set(environment)) return;
  size_t variables = 0;
  while (environment[variables]) variables++;
  char *extended[variables + 2];
  memcpy(extended, environment, variables * sizeof *extended);
  extended[variables] = (char *)one_thread;
  extended[variables + 1] = 0;
  /* Where this fails, the process goes on as it is. */
  execve("/proc/self/exe", arguments, extended);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(int, char **, char **) = begin;
#endif
