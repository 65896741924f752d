/* Vigil's core as a C library: Arrow record batches in, Arrow streams out.
 *
 *   vigil_evaluator *evaluator = NULL;
 *   char *message = NULL;
 *   vigil_open_profile("v3", &evaluator, &message);
 *   vigil_set_days(evaluator, first, last, &message);
 *   vigil_push_stream(evaluator, VIGIL_OBSERVATIONS, &input, &message);
 *   vigil_finish(evaluator, &message);
 *   vigil_take(evaluator, VIGIL_EPISODES, &output, &message);
 *   vigil_close(evaluator);
 *
 * Every function that returns a vigil_status sets *message to a text that says what is wrong and what to do, and
 * to NULL where nothing is; free it with vigil_free. `message` may be NULL.
 *
 * The library has no global state, starts no thread and sets no signal handler. An evaluator may be used from any
 * thread; calls of two threads for the same one wait for each other. After fork() a child may use the library and
 * the evaluators that no thread was using at that moment.
 */
#ifndef VIGIL_H
#define VIGIL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The Arrow C data and stream interfaces, https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
#endif

typedef int32_t vigil_status;

#define VIGIL_OK 0
/* A null pointer, or a number or name that the function does not know. */
#define VIGIL_BAD_ARGUMENT 1
/* The settings are no thresholds file; the message has every problem. */
#define VIGIL_BAD_SETTINGS 2
/* A record batch cannot be used; the message names column and row. Nothing of the batch was taken. */
#define VIGIL_BAD_DATA 3
/* The call cannot be made now, such as a change of the days after the first rows. */
#define VIGIL_BAD_ORDER 4
/* The stream that was to be read failed; the message is its own. */
#define VIGIL_STREAM_FAILED 5

/* What vigil_push takes. */

/* person, date, source (may be missing), and any number of metrics: one row a person, day and source.
 * The names of Vigil's CSV files, user_id and metric_date, are known too. Other columns of numbers, such as
 * breathing_rate and worn_minutes, say whether a device was worn (specification, detection.md section 2). */
#define VIGIL_OBSERVATIONS 0
/* person, date: days of a workout. */
#define VIGIL_WORKOUTS 1

/* Doses. Their columns are those of Vigil's CSV files of the same names; ids that are no UUIDs stand for the ones
 * that an import makes of them. Instants are timestamps with a time zone, or texts such as 2026-06-30T08:00:00Z.
 * All need vigil_set_evaluated_at, and vigil_set_days before vigil_finish; their order does not matter. The rows of a
 * person come before the person is evaluated. Where vigil_set_together was called, all come before the first
 * observations, or else a table of medications without rows does.
 *
 * Where there is a medication, detection follows doses as `vigil run` does: VIGIL_EPISODES has those of
 * dose_adherence_pct and of single medications (missed_streak, missed_dose and refill_due, with medication_id), and a dose
 * that was taken or skipped is a sign of life. Persons with a medication and no observations are evaluated by
 * vigil_finish. */

/* id, person, start_date, and end_date, is_active, is_deleted, refill_reminder_enabled, refill_remaining_quantity,
 * refill_counted_at, refill_units_per_dose, refill_reminder_days, refill_reminder_threshold, which may be missing. */
#define VIGIL_MEDICATIONS 2
/* id, medication_id, type, reference_timezone, start_date, and the columns of the type. */
#define VIGIL_SCHEDULES 3
/* medication_id, status, recorded_timezone, and schedule_id, scheduled_time, actual_time, created_at, id, which may be
 * missing: the rows of dose_history.csv. */
#define VIGIL_DOSES 4
/* id, person, previous_timezone, new_timezone, transition_time, and user_confirmed, which may be missing. */
#define VIGIL_TIMEZONE_EVENTS 5
/* timezone_event_id, schedule_id, strategy, and new_times, which may be missing. */
#define VIGIL_SCHEDULE_ADJUSTMENTS 6

/* What scores need besides observations; before the person is evaluated. Both need vigil_set_scores. */

/* person, birth_date: the age decides what is good. Without one, a person is of middle age. */
#define VIGIL_BIRTH_DATES 7
/* person, score_date, and total_score, sleep_score, movement_score, stress_score, source, which may be missing: scores
 * that another program computed, which are used as they are. Rows of source "vigil" are not looked at. */
#define VIGIL_OTHER_SCORES 8

/* person, first_day, last_day, and metric_type, which may be missing where any metric may show it: changes that are
 * known to have happened, for VIGIL_EVALUATION. Needs vigil_set_keeps_alerts, and comes before the first person is
 * evaluated. */
#define VIGIL_LABELS 9

/* Check-ins. All need vigil_set_evaluated_at, and vigil_set_days before vigil_finish. They come before the person is
 * evaluated. Where vigil_set_together was called, all come before the first observations, or else a table of check-ins
 * without rows does. A check-in is a sign of life, and one that is overdue on a day an episode of check_in_overdue, with
 * profiles that follow silence. Persons with check-ins and no observations are evaluated by vigil_finish. */

/* person, checked_in_at. */
#define VIGIL_CHECK_INS 10
/* person, interval_minutes, starts_at, and grace_minutes, which may be missing: the plans of check-ins. */
#define VIGIL_CHECK_IN_PLANS 11
/* person, timezone: where the days of a person's check-ins begin; UTC for a person without one. */
#define VIGIL_TIME_ZONES 12

/* person, metric_type, sensitivity (off, lower, normal or higher): how readily changes of a metric of one person become
 * episodes (specification, sensitivity.md). Before the person is evaluated. Rows of another word are
 * VIGIL_UNUSABLE. */
#define VIGIL_SENSITIVITIES 13

/* person, metric_type, direction (below or above), limit_value, starts_on, ends_on, and days, severity and set_by, which may
 * be missing: the limits of single persons, as rows of person_limits.csv (specification, limits.md). Before the person is
 * evaluated. Of two rows with the same person, metric_type, direction, days and starts_on the later counts. Rows that cannot
 * be, and those of a metric that the profile does not follow, are VIGIL_UNUSABLE. */
#define VIGIL_PERSON_LIMITS 14

/* What vigil_take gives. */

/* One row an episode. */
#define VIGIL_EPISODES 0
/* One row a person, metric and evaluated day with a value: what detection saw of it. */
#define VIGIL_DAYS 1
/* One row a medication and period, and one a person and period: the columns of `vigil export adherence`. Needs
 * vigil_set_adherence. */
#define VIGIL_ADHERENCE 2
/* One row an input row that was left out, with table, reason and key; beyond 1000 only how many there are. */
#define VIGIL_UNUSABLE 3
/* One row a person and day with a score that Vigil computed, from as many days before the evaluated ones as trends
 * look at: the columns of `vigil export scores`. */
#define VIGIL_SCORES 4
/* One row a trend of a score or of adherence, a day with doses missed in a row or a refill that is due, or an episode of
 * adherence beside another: the columns of `vigil export insights`. */
#define VIGIL_INSIGHTS 5
/* One row a metric, and one without a metric for all: the alerts so far beside the labels. Alerts of limits are counted by
 * themselves (limit_alerts, of all). Needs vigil_set_keeps_alerts. */
#define VIGIL_EVALUATION 6
/* What looks wrong about observations that can be read, one row a column and note: a column of texts or dates that nothing
 * reads (not_read), a column of numbers whose name is none of Vigil's (unknown_name), values that are infinite
 * (not_finite) or outside the profile's plausible range (implausible), which count as missing, and nights in hours in
 * place of minutes (hours). rows says how many values; null for a column. */
#define VIGIL_NOTES 7
/* One row a feed (observations or doses) and day on which it was broken: what the rows of all persons show that have
 * come, or vigil_set_broken_days has set. Before vigil_finish; needs vigil_set_days, and no vigil_set_together. For
 * evaluators that get only some persons. Of observations, one metric is enough. */
#define VIGIL_BROKEN_DAYS 8

typedef struct vigil_evaluator vigil_evaluator;

/* The version of the library, such as 0.1.0. */
const char *vigil_version(void);

/* Opens an evaluator of a thresholds file.
 *
 * settings   the bytes of the file, in JSON
 * name       the name of the file in messages; may be NULL
 */
vigil_status vigil_open(const char *settings, size_t length, const char *name,
                        vigil_evaluator **evaluator, char **message);

/* Opens an evaluator of a profile that ships with Vigil: v1, v2, v3, v3-strict or v3-plus. */
vigil_status vigil_open_profile(const char *profile, vigil_evaluator **evaluator, char **message);

/* The id of the profile, such as v3@0123456789ab. It lives as long as the evaluator. NULL for NULL. */
const char *vigil_profile_id(const vigil_evaluator *evaluator);

/* Sets the first and last evaluated day, in days since 1970-01-01; before the first rows.
 *
 * Without it, vigil_finish evaluates from the first to the last day of all rows. */
vigil_status vigil_set_days(vigil_evaluator *evaluator, int32_t first, int32_t last,
                            char **message);

/* Says whether all rows of a person follow each other, however many batches they fill; before the first rows.
 *
 * Then memory holds few persons: each is evaluated after the rows of the next have begun. Needs vigil_set_days.
 * A person that comes again is VIGIL_BAD_DATA. The workouts of a person come before the last of its
 * observations. */
vigil_status vigil_set_together(vigil_evaluator *evaluator, int32_t together, char **message);

/* Says whether VIGIL_DAYS is wanted, which takes memory and time; before the first rows. */
vigil_status vigil_set_explains_days(vigil_evaluator *evaluator, int32_t explains, char **message);

/* Says which columns of VIGIL_EPISODES are wanted, in their order; before the first rows. Without it, all are. What no
 * column needs is not computed: ids take the longest. A name that is none, or comes twice, is VIGIL_BAD_ARGUMENT. */
vigil_status vigil_set_columns(vigil_evaluator *evaluator, const char *const *names, size_t count,
                               char **message);

/* Says that VIGIL_SCORES and VIGIL_INSIGHTS are wanted; before the first rows.
 *
 * settings   the bytes of a vitality file, in JSON; NULL for a shipped one
 * name       the name of the file in messages; of a shipped one vitality.v1 or vitality.v2 */
vigil_status vigil_set_scores(vigil_evaluator *evaluator, const char *settings, size_t length,
                              const char *name, char **message);

/* Says that VIGIL_ADHERENCE is wanted; before the first rows. */
vigil_status vigil_set_adherence(vigil_evaluator *evaluator, int32_t measures, char **message);

/* Says that the alerts are kept for VIGIL_EVALUATION and vigil_compare; before the first rows. */
vigil_status vigil_set_keeps_alerts(vigil_evaluator *evaluator, int32_t keeps, char **message);

/* Sets the instant as of which a dose without a record is pending or missed, in microseconds since
 * 1970-01-01T00:00:00Z; before the first rows of doses and check-ins. The library has no clock. */
vigil_status vigil_set_evaluated_at(vigil_evaluator *evaluator, int64_t microseconds,
                                    char **message);

/* Sets the folder of compiled time zone files, such as /usr/share/zoneinfo; before the first rows of
 * doses and check-ins.
 *
 * Without it, the folder is that of the system. Only doses and check-ins need it. */
vigil_status vigil_set_zones(vigil_evaluator *evaluator, const char *folder, char **message);

/* Sets the days on which what brings rows in was broken for all persons, in days since 1970-01-01; before the first
 * observations.
 *
 * On such days no silence opens an alert, and a dose without a record is none that was missed. Without it, vigil_finish,
 * vigil_explain and vigil_draw find these days in the rows of all persons, as a run of the command line does (specification,
 * silence.md section 6). They cannot where vigil_set_together was called, nor after vigil_finish_person: without these
 * days the feeds count as working there.
 *
 * table      VIGIL_OBSERVATIONS or VIGIL_DOSES
 * days       may be NULL where count is 0: the feed was never broken */
vigil_status vigil_set_broken_days(vigil_evaluator *evaluator, int32_t table, const int32_t *days,
                                   size_t count, char **message);

/* Takes a record batch: a struct array. Both stay the caller's; nothing of them is used after the call.
 *
 * Rows may come in any order of days. Integers, floating-point numbers and booleans are values of metrics; null
 * and NaN are missing values. Columns of other types that the profile does not name are not looked at. */
vigil_status vigil_push(vigil_evaluator *evaluator, int32_t table,
                        const struct ArrowSchema *schema, const struct ArrowArray *batch,
                        char **message);

/* Takes all batches of a stream, and releases it, also where it fails. Batches before the bad one were taken. */
vigil_status vigil_push_stream(vigil_evaluator *evaluator, int32_t table,
                               struct ArrowArrayStream *stream, char **message);

/* Evaluates one person, whose rows have all come; needs vigil_set_days. Does nothing for a person without
 * observations. Observations of a person that was evaluated are VIGIL_BAD_ORDER. */
vigil_status vigil_finish_person(vigil_evaluator *evaluator, const char *person, size_t length,
                                 char **message);

/* Evaluates all persons with rows that are not evaluated yet. Rows of doses whose medication has not come are
 * VIGIL_UNUSABLE then. */
vigil_status vigil_finish(vigil_evaluator *evaluator, char **message);

/* Explains the decision about one day of one metric of a person: why there is, or is not, an alert. combined stands for all
 * metrics together, inactivity and check_in_overdue for silence. The rows of the person have come and are not evaluated, as
 * before vigil_finish; they stay. Episodes are followed from the first day of
 * vigil_set_days on, or from the first row of the person.
 *
 * limit      NULL for the alert against what is usual; below or above for those of the metric's limits on that side
 * day        in days since 1970-01-01
 * document   gets a JSON text with the keys of `vigil explain --format json` that do not depend on a database; free it
 *            with vigil_free
 */
vigil_status vigil_explain(vigil_evaluator *evaluator, const char *person, size_t length,
                           const char *metric, const char *limit, int32_t day, char **document,
                           char **message);

/* Explains the doses of a medication: each of the seven days up to a day with its outcome, and the measures of the
 * periods that end on it; as vigil_explain.
 *
 * medication its id, as in the rows of VIGIL_MEDICATIONS
 */
vigil_status vigil_explain_doses(vigil_evaluator *evaluator, const char *person, size_t length,
                                 const char *medication, int32_t day, char **document,
                                 char **message);

/* Draws the values of a person with their episodes, as `vigil explain --svg` and `vigil report` do; as vigil_explain.
 *
 * metric     NULL for all series that have an episode on the days, of their own, together with others, of silence or of a
 *            limit, or all metrics that have a value where none has; one below the other
 * limit      as for vigil_explain; needs a metric
 * first      the first and last day that are drawn, 2000 days at most; INT32_MIN for the 60 days up to the last one, and
 *            for the last day of the person's rows
 * document   gets the text of an SVG file; free it with vigil_free
 */
vigil_status vigil_draw(vigil_evaluator *evaluator, const char *person, size_t length,
                        const char *metric, const char *limit, int32_t first, int32_t last,
                        char **document, char **message);

/* Gives the results since the last call, which are then the caller's: in the order in which the persons were
 * evaluated, and their rows by metric and day. */
vigil_status vigil_take(vigil_evaluator *evaluator, int32_t table, struct ArrowArrayStream *stream,
                        char **message);

/* Gives the episodes of two evaluators of the same days and persons side by side: one row for an episode that both
 * have, or for one of the first or second alone. Both keep their alerts: vigil_set_keeps_alerts. */
vigil_status vigil_compare(vigil_evaluator *first, vigil_evaluator *second,
                           struct ArrowArrayStream *stream, char **message);

/* Gives another stream of the same results, from their beginning; they share memory.
 *
 * results   a stream of vigil_take that is not released, however far it was read
 */
vigil_status vigil_repeat(const struct ArrowArrayStream *results, struct ArrowArrayStream *stream,
                          char **message);

/* Closes an evaluator; NULL is allowed. Streams of its results stay valid. */
void vigil_close(vigil_evaluator *evaluator);

/* Frees a message or a document; NULL is allowed. */
void vigil_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
