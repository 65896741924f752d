DROP FUNCTION family_insights(uuid, uuid);
DROP FUNCTION family_insights(uuid, uuid, date, date);

ALTER TABLE batch_checkpoints DROP COLUMN vitality_digest;
ALTER TABLE dose_analytics DROP COLUMN day_digest;
REVOKE DELETE ON dose_analytics FROM vigil_engine, vigil_backfill;
ALTER TABLE batch_runs
  DROP CONSTRAINT batch_runs_vitality_is_whole,
  DROP CONSTRAINT batch_runs_parts_known,
  DROP COLUMN insights_found,
  DROP COLUMN scores_changed,
  DROP COLUMN vitality_digest,
  DROP COLUMN vitality_version,
  DROP COLUMN parts;

DROP TABLE trend_coverage;

-- A table with a policy of Vigil is one that Vigil made; anything else under this name is not its to
-- drop.
DO $$
DECLARE
  input constant text := 'vitality_scores';
  privilege text;
BEGIN
  IF EXISTS (
    SELECT FROM pg_policies
    WHERE schemaname = current_schema() AND tablename = input AND policyname = 'vigil_engine'
  ) THEN
    EXECUTE format('DROP TABLE %I', input);
    RETURN;
  END IF;
  FOREACH privilege IN ARRAY ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] LOOP
    IF has_table_privilege(
      to_regclass(quote_ident(input)), privilege || ' WITH GRANT OPTION')
    THEN
      EXECUTE format('REVOKE %s ON %I FROM vigil_engine, vigil_backfill', privilege, input);
    END IF;
  END LOOP;
END
$$;
