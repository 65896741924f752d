-- What `vigil doctor` asks, beside the catalogue.

-- name: FindServerVersion :many
SELECT current_setting('server_version') AS version

-- name: FindEncoding :many
SELECT current_setting('server_encoding') AS encoding

-- The setting that a session of an app begins with.
-- name: FindStringSetting :many
SELECT reset_val AS setting FROM pg_catalog.pg_settings WHERE name = 'standard_conforming_strings'

-- name: FindEncryption :many
SELECT CASE
  WHEN inet_server_addr() IS NULL THEN 'Unix socket'
  WHEN (SELECT ssl FROM pg_catalog.pg_stat_ssl WHERE pid = pg_backend_pid()) THEN 'TLS'
  ELSE 'no encryption'
END AS encryption

-- name: FindRole :many
SELECT current_user::text AS role

-- The present role as SQL writes it.
-- name: FindQuotedRole :many
SELECT quote_ident(current_user::text) AS role

-- name: FindQuotedDatabase :many
SELECT quote_ident(current_database()) AS name

-- Why row-level security does not bind the present role.
-- name: FindBypass :many
SELECT CASE WHEN rolsuper THEN 'a superuser' WHEN rolbypassrls THEN 'a BYPASSRLS role' END AS bypass
FROM pg_catalog.pg_roles WHERE rolname = current_user

-- MARK: Conditions

-- name: CopyColumns :exec
CREATE TEMPORARY TABLE pg_temp.vigil_columns (LIKE {{schema}}.{{table}}) ON COMMIT DROP

-- name: StateCondition :exec
ALTER TABLE pg_temp.vigil_columns ADD CONSTRAINT {{name}} {{condition}}

-- name: ReadCondition :many
SELECT pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint
WHERE conrelid = to_regclass('pg_temp.vigil_columns') AND contype = 'c'

-- MARK: Damage

-- The schema of the extension that compares indexes with their tables, as SQL writes it.
-- name: FindIndexChecker :many
SELECT quote_ident(nspname) FROM pg_catalog.pg_extension
JOIN pg_catalog.pg_namespace ON pg_namespace.oid = extnamespace
WHERE extname = 'amcheck'

-- name: ListIndexes :many
SELECT pg_index.indexrelid::int8, format('%I', own.relname) FROM pg_catalog.pg_index
JOIN pg_catalog.pg_class AS own ON own.oid = pg_index.indexrelid
JOIN pg_catalog.pg_namespace ON pg_namespace.oid = own.relnamespace
JOIN pg_catalog.pg_am ON pg_am.oid = own.relam
WHERE nspname = {{schema_name}} AND amname = 'btree' AND own.relkind = 'i' AND indisvalid
ORDER BY own.relname

-- name: CheckIndex :many
SELECT {{index_checker}}.bt_index_check($1::int8::oid::regclass, true)

-- MARK: Rights

-- Whether the present role may use the schema; no row without such a schema.
-- name: FindSchemaUse :many
SELECT has_schema_privilege(oid, 'USAGE')::text FROM pg_catalog.pg_namespace
WHERE nspname = {{schema_name}}

-- Whether every login of the server may connect to the database.
-- name: FindPublicConnection :many
SELECT has_database_privilege('public', current_database(), 'CONNECT')::text AS is_allowed

-- name: FindTemporaryRight :many
SELECT has_database_privilege(current_database(), 'TEMPORARY')::text AS is_allowed

-- The places, from 1, of the rights that the present role does not have among those on the tables $1: the
-- privileges $2, on the columns $3 or, where that is empty, on all; none of tables that are not there.
-- name: ListLackingRights :many
SELECT asked.place
FROM unnest($1, $2, $3) WITH ORDINALITY AS asked (name, privilege, col, place)
CROSS JOIN LATERAL (
  SELECT (SELECT own.oid FROM {{relations}} AS own WHERE own.relname = asked.name) AS oid
) AS own
WHERE NOT CASE asked.col
  WHEN '' THEN has_table_privilege(own.oid, asked.privilege)
  ELSE (
    SELECT has_column_privilege(attrelid, attnum, asked.privilege) FROM pg_catalog.pg_attribute
    WHERE attrelid = own.oid AND attname = asked.col
  )
END
ORDER BY asked.place

-- What the present role lacks to import into the table $1: privileges, policies that keep it from reading,
-- inserting or updating; whether it may insert; the owner.
-- name: FindImportRights :many
SELECT
  NOT (
    has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
    AND has_table_privilege(c.oid, 'UPDATE')
  ),
  row_security_active(c.oid) AND EXISTS (
    SELECT FROM unnest(ARRAY['r', 'a', 'w']) AS verb
    WHERE NOT EXISTS (
      SELECT FROM pg_catalog.pg_policy AS policy
      WHERE policy.polrelid = c.oid AND policy.polpermissive
        AND policy.polcmd::text IN ('*', verb)
        AND coalesce(
          pg_get_expr(policy.polwithcheck, policy.polrelid),
          pg_get_expr(policy.polqual, policy.polrelid)
        ) = 'true'
        AND EXISTS (
          SELECT FROM unnest(policy.polroles) AS member
          WHERE member = 0 OR pg_has_role(member, 'USAGE')
        )
    )
  ),
  has_table_privilege(c.oid, 'INSERT'),
  quote_ident(pg_get_userbyid(c.relowner)::text)
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = {{schema_name}} AND c.relname = $1

-- Who else may create objects in the schema, as SQL writes them; the owner of Vigil's tables has to.
-- name: ListCreators :many
SELECT coalesce(quote_ident(role.rolname), 'PUBLIC')
FROM pg_catalog.pg_namespace AS own
CROSS JOIN LATERAL aclexplode(coalesce(own.nspacl, acldefault('n', own.nspowner))) AS entry
LEFT JOIN pg_catalog.pg_roles AS role ON role.oid = entry.grantee
WHERE own.nspname = {{schema_name}}
  AND entry.privilege_type = 'CREATE'
  AND entry.grantee <> own.nspowner
  AND entry.grantee <> coalesce((
    SELECT relowner FROM pg_catalog.pg_class
    WHERE relname = 'schema_migrations' AND relnamespace = own.oid
  ), 0::oid)
  AND role.rolsuper IS NOT TRUE
ORDER BY 1

-- MARK: Inputs

-- Plans of searches for a few persons, each of which needs an index.
-- name: ExplainMetricSearch :many
EXPLAIN (FORMAT JSON, VERBOSE)
SELECT 1 FROM {{schema}}.wearable_daily_metrics
WHERE user_id = ANY ('{00000000-0000-0000-0000-000000000000}'::uuid[])
  AND metric_date BETWEEN '2000-01-01' AND '2000-04-10'

-- name: ExplainDaySearch :many
EXPLAIN (FORMAT JSON, VERBOSE)
SELECT 1 FROM {{schema}}.{{table}}
WHERE user_id = '00000000-0000-0000-0000-000000000000' AND {{date}} = '2000-01-01'

-- name: ExplainSearch :many
EXPLAIN (FORMAT JSON, VERBOSE)
SELECT 1 FROM {{schema}}.{{table}} WHERE {{column}} = '00000000-0000-0000-0000-000000000000'

-- MARK: Scores

-- Columns of vitality_scores, among $1, whose types refuse or shorten the texts $2 that are meant for them.
-- name: ListUnfitScoreColumns :many
SELECT given.attname::text, format_type(given.atttypid, given.atttypmod)
FROM unnest($1, $2) WITH ORDINALITY AS asked (name, word, place)
JOIN pg_catalog.pg_attribute AS given
  ON given.attname = asked.name AND given.attrelid = (
    SELECT own.oid FROM {{relations}} AS own WHERE own.relname = 'vitality_scores'
  )
JOIN pg_catalog.pg_type AS own ON own.oid = given.atttypid
JOIN pg_catalog.pg_type AS base
  ON base.oid = CASE own.typtype WHEN 'd' THEN own.typbasetype ELSE own.oid END
CROSS JOIN LATERAL (
  -- The length and the four bytes before it; less where there is none.
  SELECT CASE own.typtype WHEN 'd' THEN own.typtypmod ELSE given.atttypmod END - 4 AS most
) AS length
WHERE NOT CASE
  WHEN base.typtype = 'e' THEN EXISTS (
    SELECT FROM pg_catalog.pg_enum WHERE enumtypid = base.oid AND enumlabel = asked.word
  )
  ELSE base.typcategory = 'S' AND (length.most < 0 OR char_length(asked.word) <= length.most)
END
ORDER BY asked.place

-- Columns of vitality_scores that must have a value and that runs leave empty: none of $1, or one of $2, which
-- are empty where a pillar has no score. The values of a trigger are not known, so a table with one before the
-- insert has none.
-- name: ListNeverFilledScoreColumns :many
SELECT given.attname::text FROM pg_catalog.pg_attribute AS given
JOIN pg_catalog.pg_type AS own ON own.oid = given.atttypid
WHERE given.attrelid = (
    SELECT own.oid FROM {{relations}} AS own WHERE own.relname = 'vitality_scores'
  )
  AND given.attnum > 0 AND NOT given.attisdropped
  AND (given.attnotnull OR own.typnotnull)
  AND given.attname <> ALL ($1)
  -- A default stands in for what is left out, not for a NULL.
  AND (
    given.attname = ANY ($2)
    OR NOT (given.atthasdef OR given.attidentity <> '' OR own.typdefault IS NOT NULL)
  )
  -- Before, of each row, on INSERT.
  AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = given.attrelid AND tgtype & 7 = 7 AND tgenabled <> 'D'
  )
ORDER BY given.attnum
