DO $$
DECLARE
  own record;
BEGIN
  FOR own IN
    SELECT tgname, tgrelid::regclass AS source FROM pg_trigger
    WHERE tgfoid IN (
      to_regproc(format('%I.vigil_note_metric_changes', {{schema_name}})),
      to_regproc(format('%I.vigil_note_dose_changes', {{schema_name}}))
    )
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', own.tgname, own.source);
  END LOOP;
END
$$;
DROP FUNCTION {{schema}}.vigil_keep_history(text);
DROP FUNCTION {{schema}}.vigil_note_dose_changes();
DROP FUNCTION {{schema}}.vigil_note_metric_changes();
DROP FUNCTION {{schema}}.vigil_history_source(text);
DROP TABLE {{schema}}.calm_digests;
DROP TABLE {{schema}}.history_state;
DROP TABLE {{schema}}.history_changes;
DROP TABLE {{schema}}.medication_history;
DROP TABLE {{schema}}.metric_history;
