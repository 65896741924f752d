/* Finds the alert of one person whose steps fall: builds Arrow arrays by hand, explains and draws the last day, and
 * prints what comes back.
 *
 *   cc example.c $(pkg-config --cflags --libs vigil) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vigil.h>

enum { DAYS = 42 };

static const int32_t first_day = 20593; /* 2026-05-20 */

static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void release_array(struct ArrowArray *array) { array->release = NULL; }

static struct ArrowSchema field(const char *format, const char *name) {
  return (struct ArrowSchema){.format = format, .name = name, .release = release_schema};
}

static struct ArrowArray column(int64_t n_buffers, const void **buffers) {
  return (struct ArrowArray){
      .length = DAYS, .n_buffers = n_buffers, .buffers = buffers, .release = release_array};
}

/* Takes the place of the message, as the call that sets it is an argument, too. */
static void check(vigil_status status, char **message) {
  if (status == VIGIL_OK) return;
  fprintf(stderr, "example: %s\n", *message);
  vigil_free(*message);
  exit(1);
}

/* Prints the columns that this program knows the type of. */
static void print_row(const struct ArrowSchema *schema, const struct ArrowArray *batch, int64_t row) {
  for (int64_t i = 0; i < schema->n_children; i++) {
    const struct ArrowSchema *type = schema->children[i];
    const struct ArrowArray *values = batch->children[i];
    if (strcmp(type->name, "metric_type") == 0) {
      const int32_t *offsets = values->buffers[1];
      printf("%.*s ", offsets[row + 1] - offsets[row], (const char *)values->buffers[2] + offsets[row]);
    } else if (strcmp(type->name, "active_since") == 0) {
      printf("since day %d ", ((const int32_t *)values->buffers[1])[row] - first_day);
    } else if (strcmp(type->name, "current_level") == 0) {
      printf("level %d ", ((const int32_t *)values->buffers[1])[row]);
    } else if (strcmp(type->name, "deviation_fraction") == 0) {
      printf("deviation %.2f\n", ((const double *)values->buffers[1])[row]);
    }
  }
}

int main(void) {
  char names[DAYS * 4 + 1] = "";
  int32_t offsets[DAYS + 1] = {0}, dates[DAYS];
  double steps[DAYS];
  for (int i = 0; i < DAYS; i++) {
    strcat(names, "anna");
    offsets[i + 1] = offsets[i] + 4;
    dates[i] = first_day + i;
    steps[i] = i < 35 ? 8000 : 4000;
  }

  const void *no_buffers[] = {NULL};
  const void *name_buffers[] = {NULL, offsets, names};
  const void *date_buffers[] = {NULL, dates};
  const void *steps_buffers[] = {NULL, steps};
  struct ArrowSchema fields[] = {field("u", "person"), field("tdD", "date"), field("g", "steps")};
  struct ArrowSchema *field_pointers[] = {&fields[0], &fields[1], &fields[2]};
  struct ArrowSchema schema = field("+s", "");
  schema.n_children = 3;
  schema.children = field_pointers;
  struct ArrowArray columns[] = {column(3, name_buffers), column(2, date_buffers), column(2, steps_buffers)};
  struct ArrowArray *column_pointers[] = {&columns[0], &columns[1], &columns[2]};
  struct ArrowArray batch = column(1, no_buffers);
  batch.n_children = 3;
  batch.children = column_pointers;

  char *message = NULL;
  vigil_evaluator *evaluator = NULL;
  check(vigil_open_profile("v1", &evaluator, &message), &message);
  check(vigil_push(evaluator, VIGIL_OBSERVATIONS, &schema, &batch, &message), &message);

  /* Before vigil_finish the rows are there to be explained and drawn. */
  char *document = NULL;
  const int32_t last = first_day + DAYS - 1;
  check(vigil_explain(evaluator, "anna", 4, "steps", NULL, last, &document, &message), &message);
  printf("alert on the last day: %s\n", strstr(document, "\"is_alert\":true") ? "yes" : "no");
  vigil_free(document);
  check(vigil_draw(evaluator, "anna", 4, NULL, NULL, INT32_MIN, INT32_MIN, &document, &message), &message);
  printf("drawn: %.4s\n", document);
  vigil_free(document);

  check(vigil_finish(evaluator, &message), &message);
  struct ArrowArrayStream results;
  check(vigil_take(evaluator, VIGIL_EPISODES, &results, &message), &message);
  vigil_close(evaluator);

  struct ArrowSchema result_schema;
  if (results.get_schema(&results, &result_schema) != 0) return 1;
  struct ArrowArray found;
  while (results.get_next(&results, &found) == 0 && found.release != NULL) {
    for (int64_t row = 0; row < found.length; row++) print_row(&result_schema, &found, row);
    found.release(&found);
  }
  result_schema.release(&result_schema);
  results.release(&results);
  return 0;
}
