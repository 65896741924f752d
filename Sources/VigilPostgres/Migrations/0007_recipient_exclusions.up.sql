-- Whom somebody (the subject) does not want to be told about them, whatever their role in the family.
--
-- An input: where the schema has a table or a view of this name, that is read as it is.

DO $$
DECLARE
  input constant text := 'alert_recipient_exclusions';
  kind "char";
  missing text;
BEGIN
  SELECT relkind INTO kind FROM pg_class
  WHERE relname = input AND relnamespace = quote_ident(current_schema())::regnamespace;

  IF kind IS NULL THEN
    CREATE TABLE alert_recipient_exclusions (
      subject_user_id uuid NOT NULL,
      excluded_user_id uuid NOT NULL,
      PRIMARY KEY (subject_user_id, excluded_user_id),
      CONSTRAINT alert_recipient_exclusions_are_of_others CHECK (
        subject_user_id <> excluded_user_id
      )
    );

    -- A foreign key can refer to a table only, and users may be a view.
    IF EXISTS (SELECT FROM pg_class WHERE oid = 'users'::regclass AND relkind IN ('r', 'p')) THEN
      ALTER TABLE alert_recipient_exclusions
        ADD CONSTRAINT alert_recipient_exclusions_subject
          FOREIGN KEY (subject_user_id) REFERENCES users (id),
        ADD CONSTRAINT alert_recipient_exclusions_excluded
          FOREIGN KEY (excluded_user_id) REFERENCES users (id);
    END IF;

    -- Who is excluded must not learn of it, not even within the family.
    ALTER TABLE alert_recipient_exclusions
      ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY vigil_owner ON alert_recipient_exclusions TO CURRENT_USER USING (TRUE);
    CREATE POLICY vigil_engine ON alert_recipient_exclusions
      FOR SELECT TO vigil_engine, vigil_backfill USING (TRUE);
    CREATE POLICY vigil_reader ON alert_recipient_exclusions
      FOR SELECT TO vigil_reader USING (subject_user_id = (SELECT vigil_viewer_id()));
    GRANT SELECT ON alert_recipient_exclusions TO vigil_engine, vigil_backfill, vigil_reader;
  ELSIF kind NOT IN ('r', 'p', 'v', 'm', 'f') THEN
    RAISE EXCEPTION 'the schema % has %, which is neither a table nor a view',
      quote_ident(current_schema()), quote_ident(input)
      USING ERRCODE = 'duplicate_table', HINT = 'give it another name';
  ELSIF has_table_privilege(quote_ident(input), 'SELECT WITH GRANT OPTION') THEN
    -- Not to the reader: Vigil does not know which of its rows are whose to see.
    EXECUTE format('GRANT SELECT ON %I TO vigil_engine, vigil_backfill', input);
  END IF;

  -- What is another's to grant may have been granted before; what is missing is said all at once.
  SELECT string_agg(
    format('GRANT SELECT ON %I.%I TO %I', current_schema(), input, runtime_role), '; ')
  INTO missing
  FROM unnest(ARRAY['vigil_engine', 'vigil_backfill']) AS runtime_role
  WHERE NOT has_table_privilege(runtime_role, quote_ident(input), 'SELECT');
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'roles of Vigil lack rights that this user may not grant'
      USING ERRCODE = 'insufficient_privilege',
        HINT = format('the owner of %I.%I must run: %s;', current_schema(), input, missing);
  END IF;
END
$$;
