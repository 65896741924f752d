// Reads the columns that a backfill reads, person by person as it does, and adds them up.
//
// usage: BareSelect FILE FIRST_DAY LAST_DAY
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static void check(sqlite3 *db, int code, int expected) {
  if (code == expected) return;
  fprintf(stderr, "BareSelect: %s\n", sqlite3_errmsg(db));
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: BareSelect FILE FIRST_DAY LAST_DAY\n");
    return 64;
  }
  sqlite3 *db;
  check(db, sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  sqlite3_stmt *statement;
  const char *sql =
      "SELECT user_id, metric_date, source, deep_sleep_minutes, hrv_ms, movement_minutes, resting_hr,"
      " sleep_efficiency_pct, sleep_minutes, steps FROM wearable_daily_metrics"
      " WHERE metric_date BETWEEN ?1 AND ?2 ORDER BY user_id, metric_date, source";
  check(db, sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
  sqlite3_bind_text(statement, 1, argv[2], -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, argv[3], -1, SQLITE_STATIC);
  long rows = 0;
  long letters = 0;
  double sum = 0;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    rows++;
    for (int column = 0; column < 3; column++) letters += sqlite3_column_text(statement, column)[0];
    for (int column = 3; column < 10; column++) sum += sqlite3_column_double(statement, column);
  }
  check(db, code, SQLITE_DONE);
  printf("%ld rows, %ld, %.0f\n", rows, letters, sum);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return 0;
}
