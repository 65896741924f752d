#ifndef VIGIL_CSQLITE_SHIM_H
#define VIGIL_CSQLITE_SHIM_H

/* Swift calls no function with a variable number of arguments. The header of SQLite itself is that of another module. */
extern int sqlite3_config(int, ...);

/* SQLITE_CONFIG_STMTJRNL_SPILL. Returns 0, or the error SQLITE_MISUSE once a connection was opened. */
static inline int vigil_sqlite_keep_statement_journals(int bytes) { return sqlite3_config(26, bytes); }

#endif
