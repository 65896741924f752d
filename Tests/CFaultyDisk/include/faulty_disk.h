#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdint.h>

/// The fate of the operation of a disk that a plan names, and of those after it.
typedef enum {
  /// It fails, and does nothing.
  faulty_disk_error,
  /// It does its work, and says that it has failed.
  faulty_disk_lost_answer,
  /// It and all later ones do nothing and fail: the process has ended, or the disk is gone.
  faulty_disk_gone,
  /// It and all later ones that would write find the disk full.
  faulty_disk_full
} faulty_disk_fault;

/// Puts a disk with faults in front of the files of SQLite in this process; later calls do nothing.
/// Files in no planned folder are left alone. Returns a code of SQLite.
int faulty_disk_install(void);

/// Plans a fault of the `at`th operation, from 1, on files below `folder`, and counts from the start.
/// 0 plans none, and counts. A folder has one plan; of two threads each needs a folder of its own.
/// Returns 0 where there is room for no more folders.
int faulty_disk_plan(const char *folder, faulty_disk_fault fault, uint64_t at);

/// Operations on files below `folder` since its plan: opening, reading, writing, cutting, writing through, removing.
uint64_t faulty_disk_operations(const char *folder);

/// Ends the plan of `folder`.
void faulty_disk_forget(const char *folder);

#endif
