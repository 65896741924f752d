#include "include/faulty_disk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { most_plans = 64, longest_folder = 512 };

typedef struct {
  char folder[longest_folder];
  faulty_disk_fault fault;
  uint64_t at;
  uint64_t operations;
} plan;

typedef struct {
  sqlite3_file base;
  // Nil for a file of a temporary kind, which has no name.
  char *path;
  sqlite3_file *real;
} file;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static plan plans[most_plans];
static sqlite3_vfs *real_disk;
static sqlite3_vfs disk;
static sqlite3_io_methods methods;

// Called with the mutex.
static plan *plan_of(const char *path) {
  if (path == NULL) return NULL;
  for (int index = 0; index < most_plans; index++) {
    size_t length = strlen(plans[index].folder);
    if (length > 0 && strncmp(path, plans[index].folder, length) == 0 && path[length] == '/') return &plans[index];
  }
  return NULL;
}

typedef enum { go_on, fail_first, fail_after, find_full } outcome;

static outcome next_operation(const char *path, int writes) {
  pthread_mutex_lock(&mutex);
  outcome result = go_on;
  plan *found = plan_of(path);
  if (found != NULL) {
    uint64_t number = ++found->operations;
    if (found->at > 0 && number >= found->at) {
      switch (found->fault) {
        case faulty_disk_error: result = number == found->at ? fail_first : go_on; break;
        case faulty_disk_lost_answer: result = number == found->at ? fail_after : go_on; break;
        case faulty_disk_gone: result = fail_first; break;
        case faulty_disk_full: result = writes ? find_full : go_on; break;
      }
    }
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

#define REAL(f) (((file *)(f))->real)
#define OPERATION(f, writes, code, call)                              \
  switch (next_operation(((file *)(f))->path, writes)) {              \
    case fail_first: return code;                                     \
    case find_full: return SQLITE_FULL;                               \
    case fail_after: (void)(call); return code;                       \
    case go_on: return call;                                          \
  }                                                                   \
  return code

static int close_file(sqlite3_file *f) {
  int result = REAL(f)->pMethods ? REAL(f)->pMethods->xClose(REAL(f)) : SQLITE_OK;
  free(((file *)f)->path);
  sqlite3_free(REAL(f));
  return result;
}
static int read_file(sqlite3_file *f, void *bytes, int count, sqlite3_int64 at) {
  OPERATION(f, 0, SQLITE_IOERR_READ, REAL(f)->pMethods->xRead(REAL(f), bytes, count, at));
}
static int write_file(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 at) {
  OPERATION(f, 1, SQLITE_IOERR_WRITE, REAL(f)->pMethods->xWrite(REAL(f), bytes, count, at));
}
static int truncate_file(sqlite3_file *f, sqlite3_int64 size) {
  OPERATION(f, 0, SQLITE_IOERR_TRUNCATE, REAL(f)->pMethods->xTruncate(REAL(f), size));
}
static int sync_file(sqlite3_file *f, int flags) {
  OPERATION(f, 0, SQLITE_IOERR_FSYNC, REAL(f)->pMethods->xSync(REAL(f), flags));
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) { return REAL(f)->pMethods->xFileSize(REAL(f), size); }
static int lock_file(sqlite3_file *f, int level) { return REAL(f)->pMethods->xLock(REAL(f), level); }
static int unlock_file(sqlite3_file *f, int level) { return REAL(f)->pMethods->xUnlock(REAL(f), level); }
static int is_reserved(sqlite3_file *f, int *answer) { return REAL(f)->pMethods->xCheckReservedLock(REAL(f), answer); }
static int control(sqlite3_file *f, int op, void *argument) {
  return REAL(f)->pMethods->xFileControl(REAL(f), op, argument);
}
static int sector_size(sqlite3_file *f) { return REAL(f)->pMethods->xSectorSize(REAL(f)); }
static int characteristics(sqlite3_file *f) { return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f)); }
static int map_shared(sqlite3_file *f, int region, int size, int extends, void volatile **memory) {
  return REAL(f)->pMethods->xShmMap(REAL(f), region, size, extends, memory);
}
static int lock_shared(sqlite3_file *f, int offset, int count, int flags) {
  return REAL(f)->pMethods->xShmLock(REAL(f), offset, count, flags);
}
static void order_shared(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int unmap_shared(sqlite3_file *f, int removes) { return REAL(f)->pMethods->xShmUnmap(REAL(f), removes); }

static int open_file(sqlite3_vfs *ignored, const char *path, sqlite3_file *f, int flags, int *flags_out) {
  (void)ignored;
  file *opened = (file *)f;
  opened->base.pMethods = NULL;
  outcome planned = next_operation(path, 0);
  if (planned != go_on) return SQLITE_CANTOPEN;
  opened->real = sqlite3_malloc(real_disk->szOsFile);
  opened->path = path ? strdup(path) : NULL;
  if (opened->real == NULL || (path != NULL && opened->path == NULL)) return SQLITE_NOMEM;
  memset(opened->real, 0, (size_t)real_disk->szOsFile);
  int result = real_disk->xOpen(real_disk, path, opened->real, flags, flags_out);
  if (opened->real->pMethods != NULL) {
    // Closed by SQLite even where opening has failed.
    opened->base.pMethods = &methods;
  } else {
    free(opened->path);
    sqlite3_free(opened->real);
  }
  return result;
}

static int remove_file(sqlite3_vfs *ignored, const char *path, int syncs) {
  (void)ignored;
  switch (next_operation(path, 0)) {
    case fail_after: (void)real_disk->xDelete(real_disk, path, syncs); return SQLITE_IOERR_DELETE;
    case go_on: return real_disk->xDelete(real_disk, path, syncs);
    default: return SQLITE_IOERR_DELETE;
  }
}

int faulty_disk_install(void) {
  pthread_mutex_lock(&mutex);
  int result = SQLITE_OK;
  if (real_disk == NULL) {
    real_disk = sqlite3_vfs_find(NULL);
    disk = *real_disk;
    disk.zName = "faulty";
    disk.szOsFile = sizeof(file);
    disk.xOpen = open_file;
    disk.xDelete = remove_file;
    methods = (sqlite3_io_methods){
        // Not 3: reading through mapped memory would pass by.
        .iVersion = 2, .xClose = close_file, .xRead = read_file, .xWrite = write_file, .xTruncate = truncate_file,
        .xSync = sync_file, .xFileSize = file_size, .xLock = lock_file, .xUnlock = unlock_file,
        .xCheckReservedLock = is_reserved, .xFileControl = control, .xSectorSize = sector_size,
        .xDeviceCharacteristics = characteristics, .xShmMap = map_shared, .xShmLock = lock_shared,
        .xShmBarrier = order_shared, .xShmUnmap = unmap_shared};
    result = sqlite3_vfs_register(&disk, 1);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

int faulty_disk_plan(const char *folder, faulty_disk_fault fault, uint64_t at) {
  if (strlen(folder) >= longest_folder) return 0;
  pthread_mutex_lock(&mutex);
  plan *chosen = NULL;
  for (int index = 0; index < most_plans; index++) {
    if (strcmp(plans[index].folder, folder) == 0) {
      chosen = &plans[index];
      break;
    }
    if (chosen == NULL && plans[index].folder[0] == 0) chosen = &plans[index];
  }
  if (chosen != NULL) {
    strcpy(chosen->folder, folder);
    chosen->fault = fault;
    chosen->at = at;
    chosen->operations = 0;
  }
  pthread_mutex_unlock(&mutex);
  return chosen != NULL;
}

uint64_t faulty_disk_operations(const char *folder) {
  uint64_t result = 0;
  pthread_mutex_lock(&mutex);
  for (int index = 0; index < most_plans; index++)
    if (strcmp(plans[index].folder, folder) == 0) result = plans[index].operations;
  pthread_mutex_unlock(&mutex);
  return result;
}

void faulty_disk_forget(const char *folder) {
  pthread_mutex_lock(&mutex);
  for (int index = 0; index < most_plans; index++)
    if (strcmp(plans[index].folder, folder) == 0) memset(&plans[index], 0, sizeof plans[index]);
  pthread_mutex_unlock(&mutex);
}
