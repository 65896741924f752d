DO $$
DECLARE
  own text;
BEGIN
  FOR own IN
    SELECT tgname FROM pg_trigger
    WHERE tgrelid = to_regclass(format('%I.wearable_daily_metrics', {{schema_name}}))
      AND tgfoid = to_regproc(format('%I.vigil_note_metric_changes', {{schema_name}}))
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %I.wearable_daily_metrics', own, {{schema_name}});
  END LOOP;
END
$$;
DROP FUNCTION {{schema}}.vigil_keep_history();
DROP FUNCTION {{schema}}.vigil_note_metric_changes();
DROP TABLE {{schema}}.calm_digests;
DROP TABLE {{schema}}.history_state;
DROP TABLE {{schema}}.metric_changes;
DROP TABLE {{schema}}.metric_history;
