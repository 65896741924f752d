/* Writes what the library finds in CSV files as CSV files, for the comparison of all ways to the same rows.
 *
 *   rows FOLDER PROFILE FIRST LAST INSTANT (alerts | all) TABLE=FILE ...
 *
 * FIRST and LAST are days since 1970-01-01, INSTANT microseconds. FOLDER gets alerts.csv, and with `all` scores.csv,
 * insights.csv and adherence.csv, too. A column is of numbers where each of its fields is one or missing; the library
 * reads the others as texts. Batches have 1000 rows and so cut persons.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vigil.h>

enum { BATCH = 1000, MOST_COLUMNS = 64 };

static void fail(const char *what, const char *why) {
  fprintf(stderr, "rows: %s: %s\n", what, why);
  exit(1);
}

static void check(vigil_status status, char **message) {
  if (status != VIGIL_OK) fail("vigil", *message);
}

static void *memory(void *old, size_t size) {
  void *new = realloc(old, size);
  if (new == NULL) fail("memory", "there is none");
  return new;
}

/* MARK: CSV */

/* A file as fields: those of row r and column c at r * columns + c, NULL where missing; row 0 has the names. */
struct csv {
  int64_t rows, columns;
  char **fields;
};

static char *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail(path, "cannot be opened");
  size_t length = 0, capacity = 1 << 16;
  char *bytes = memory(NULL, capacity);
  for (size_t count; (count = fread(bytes + length, 1, capacity - length - 1, file)) > 0;) {
    length += count;
    if (capacity - length < 2) bytes = memory(bytes, capacity *= 2);
  }
  fclose(file);
  bytes[length] = '\0';
  return bytes;
}

static struct csv read_csv(const char *path) {
  struct csv csv = {0};
  int64_t count = 0, capacity = 0;
  for (char *in = contents(path); *in != '\0';) {
    int is_quoted = *in == '"';
    char *start = in += is_quoted, *out = in;
    while (*in != '\0' && (is_quoted ? *in != '"' || in[1] == '"' : *in != ',' && *in != '\n')) {
      in += is_quoted && *in == '"';
      *out++ = *in++;
    }
    in += is_quoted;
    char end = *in;
    in += end != '\0';
    *out = '\0';
    if (count == capacity) csv.fields = memory(csv.fields, sizeof(char *) * (capacity = 2 * capacity + 64));
    csv.fields[count++] = is_quoted || *start != '\0' ? start : NULL;
    if (end == ',') continue;
    if (csv.columns == 0) csv.columns = count;
    if (count % csv.columns != 0) fail(path, "a row has another number of fields");
  }
  if (csv.columns == 0 || csv.columns > MOST_COLUMNS) fail(path, "has too few or too many columns");
  csv.rows = count / csv.columns - 1;
  return csv;
}

static const char *field_of(const struct csv *csv, int64_t row, int64_t column) {
  return csv->fields[(row + 1) * csv->columns + column];
}

/* 'n' where all fields are missing, 'g' where the others are numbers, else 'u': the formats of Arrow. */
static char kind_of(const struct csv *csv, int64_t column) {
  char kind = 'n';
  for (int64_t row = 0; row < csv->rows; row++) {
    const char *text = field_of(csv, row, column);
    if (text == NULL) continue;
    char *end;
    strtod(text, &end);
    if (*end != '\0' || end == text) return 'u';
    kind = 'g';
  }
  return kind;
}

/* MARK: Into the library */

static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void release_array(struct ArrowArray *array) { array->release = NULL; }

static void push_batch(vigil_evaluator *evaluator, int32_t table, const struct csv *csv, const char *kinds,
                       int64_t first, int64_t length) {
  static char formats[][2] = {"n", "g", "u"};
  struct ArrowSchema fields[MOST_COLUMNS], *field_pointers[MOST_COLUMNS];
  struct ArrowArray columns[MOST_COLUMNS], *column_pointers[MOST_COLUMNS];
  static const void *buffers[MOST_COLUMNS][3];
  for (int64_t c = 0; c < csv->columns; c++) {
    char kind = kinds[c];
    fields[c] = (struct ArrowSchema){
        .format = formats[kind == 'n' ? 0 : kind == 'g' ? 1 : 2], .name = csv->fields[c],
        .flags = ARROW_FLAG_NULLABLE, .release = release_schema};
    columns[c] = (struct ArrowArray){
        .length = length, .null_count = kind == 'n' ? length : -1, .n_buffers = kind == 'n' ? 0 : kind == 'g' ? 2 : 3,
        .buffers = buffers[c], .release = release_array};
    field_pointers[c] = &fields[c];
    column_pointers[c] = &columns[c];
    uint8_t *valid = memory(NULL, length / 8 + 1);
    memset(valid, 0, length / 8 + 1);
    double *numbers = memory(NULL, sizeof(double) * (length + 1));
    int32_t *offsets = memory(NULL, sizeof(int32_t) * (length + 1));
    size_t bytes = 0;
    for (int64_t r = 0; r < length; r++) {
      const char *text = field_of(csv, first + r, c);
      if (text != NULL) valid[r / 8] |= 1 << r % 8, bytes += strlen(text);
    }
    char *texts = memory(NULL, bytes + 1);
    offsets[0] = 0;
    for (int64_t r = 0; r < length; r++) {
      const char *text = field_of(csv, first + r, c);
      size_t size = text == NULL ? 0 : strlen(text);
      numbers[r] = text != NULL && kind == 'g' ? strtod(text, NULL) : 0;
      if (size > 0) memcpy(texts + offsets[r], text, size);
      offsets[r + 1] = offsets[r] + (int32_t)size;
    }
    buffers[c][0] = valid;
    buffers[c][1] = kind == 'g' ? (const void *)numbers : offsets;
    buffers[c][2] = texts;
    free(kind == 'g' ? (void *)offsets : numbers);
  }
  static const void *no_buffers[] = {NULL};
  struct ArrowSchema schema = {
      .format = "+s", .name = "", .n_children = csv->columns, .children = field_pointers, .release = release_schema};
  struct ArrowArray batch = {
      .length = length, .n_buffers = 1, .buffers = no_buffers, .n_children = csv->columns, .children = column_pointers,
      .release = release_array};
  char *message = NULL;
  check(vigil_push(evaluator, table, &schema, &batch, &message), &message);
  for (int64_t c = 0; c < csv->columns; c++) {
    for (int b = 0; b < 3; b++) free((void *)buffers[c][b]);
  }
}

static void push(vigil_evaluator *evaluator, const char *argument) {
  static const char *names[] = {
      "observations", "workouts", "medications", "schedules", "doses", "timezone_events", "schedule_adjustments",
      "birth_dates"};
  const char *path = strchr(argument, '=');
  for (int32_t table = 0; path != NULL && table < (int32_t)(sizeof names / sizeof *names); table++) {
    if (strncmp(names[table], argument, path - argument) != 0 || names[table][path - argument] != '\0') continue;
    struct csv csv = read_csv(path + 1);
    char kinds[MOST_COLUMNS];
    for (int64_t c = 0; c < csv.columns; c++) kinds[c] = kind_of(&csv, c);
    for (int64_t first = 0; first < csv.rows; first += BATCH) {
      push_batch(evaluator, table, &csv, kinds, first, csv.rows - first < BATCH ? csv.rows - first : BATCH);
    }
    return;
  }
  fail(argument, "is not TABLE=FILE");
}

/* MARK: Out of the library */

static void print_value(FILE *out, const char *format, const struct ArrowArray *values, int64_t row) {
  row += values->offset;
  const uint8_t *valid = values->n_buffers > 0 ? values->buffers[0] : NULL;
  if (valid != NULL && (valid[row / 8] >> row % 8 & 1) == 0) return;
  const void *data = values->buffers[1];
  if (strcmp(format, "u") == 0) {
    const int32_t *offsets = data;
    fprintf(out, "\"%.*s\"", offsets[row + 1] - offsets[row], (const char *)values->buffers[2] + offsets[row]);
  } else if (strcmp(format, "tdD") == 0) {
    time_t time = (time_t)((const int32_t *)data)[row] * 86400;
    struct tm day;
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&time, &day));
    fputs(text, out);
  } else if (strcmp(format, "i") == 0) {
    fprintf(out, "%" PRId32, ((const int32_t *)data)[row]);
  } else if (strcmp(format, "l") == 0) {
    fprintf(out, "%" PRId64, ((const int64_t *)data)[row]);
  } else if (strcmp(format, "g") == 0) {
    fprintf(out, "%.17g", ((const double *)data)[row]);
  } else if (strcmp(format, "b") == 0) {
    fputs((((const uint8_t *)data)[row / 8] >> row % 8 & 1) ? "true" : "false", out);
  } else {
    fail(format, "is a format of Arrow that this program does not know");
  }
}

static void take(vigil_evaluator *evaluator, int32_t table, const char *folder, const char *name) {
  char path[4096], *message = NULL;
  snprintf(path, sizeof path, "%s/%s.csv", folder, name);
  FILE *out = fopen(path, "wb");
  if (out == NULL) fail(path, "cannot be written");
  struct ArrowArrayStream stream;
  check(vigil_take(evaluator, table, &stream, &message), &message);
  struct ArrowSchema schema;
  if (stream.get_schema(&stream, &schema) != 0) fail(name, stream.get_last_error(&stream));
  for (int64_t c = 0; c < schema.n_children; c++) fprintf(out, "%s%s", c > 0 ? "," : "", schema.children[c]->name);
  fputc('\n', out);
  struct ArrowArray batch;
  while (stream.get_next(&stream, &batch) == 0 && batch.release != NULL) {
    for (int64_t row = 0; row < batch.length; row++) {
      for (int64_t c = 0; c < schema.n_children; c++) {
        if (c > 0) fputc(',', out);
        print_value(out, schema.children[c]->format, batch.children[c], row);
      }
      fputc('\n', out);
    }
    batch.release(&batch);
  }
  schema.release(&schema);
  stream.release(&stream);
  if (fclose(out) != 0) fail(path, "cannot be written");
}

int main(int count, char **arguments) {
  if (count < 7) fail("usage", "rows FOLDER PROFILE FIRST LAST INSTANT (alerts | all) TABLE=FILE ...");
  int is_all = strcmp(arguments[6], "all") == 0, has_doses = 0;
  char *message = NULL;
  vigil_evaluator *evaluator = NULL;
  check(vigil_open_profile(arguments[2], &evaluator, &message), &message);
  check(vigil_set_days(evaluator, atoi(arguments[3]), atoi(arguments[4]), &message), &message);
  check(vigil_set_evaluated_at(evaluator, strtoll(arguments[5], NULL, 10), &message), &message);
  for (int i = 7; i < count; i++) has_doses |= strncmp(arguments[i], "doses=", 6) == 0;
  if (is_all) check(vigil_set_scores(evaluator, NULL, 0, "vitality.v2", &message), &message);
  if (is_all && has_doses) check(vigil_set_adherence(evaluator, 1, &message), &message);
  for (int i = 7; i < count; i++) push(evaluator, arguments[i]);
  check(vigil_finish(evaluator, &message), &message);
  take(evaluator, VIGIL_EPISODES, arguments[1], "alerts");
  if (is_all) {
    take(evaluator, VIGIL_SCORES, arguments[1], "scores");
    take(evaluator, VIGIL_INSIGHTS, arguments[1], "insights");
  }
  if (is_all && has_doses) take(evaluator, VIGIL_ADHERENCE, arguments[1], "adherence");
  vigil_close(evaluator);
  return 0;
}
