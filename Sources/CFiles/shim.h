#ifndef VIGIL_CFILES_SHIM_H
#define VIGIL_CFILES_SHIM_H

/* Files and folders, without Foundation and without Swift's Glibc module: that one would bring functions into the C
 * library which an older glibc lacks. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a file for reading; a pipe does not keep the caller waiting. */
static inline int vigil_open(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* The size of an open file in bytes; -1 on an error, and -2 of what is no regular file. */
static inline long long vigil_size(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  return S_ISREG(status.st_mode) ? (long long)status.st_size : -2;
}

/* The same of a file by its path. */
static inline long long vigil_size_at(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  return S_ISREG(status.st_mode) ? (long long)status.st_size : -2;
}

/* Whether a path, which is no link, names an open file. */
static inline int vigil_is_named(const char *path, int descriptor) {
  struct stat opened, named;
  return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* The number of the thread's last error. */
static inline int vigil_error(void) { return errno; }

#endif
