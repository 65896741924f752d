-- The tables and views of the schema; none where this role may not use the schema, which `to_regclass` would
-- call an error.
-- name: relations :part
(
  SELECT pg_class.oid, pg_class.relname, pg_class.relkind
  FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pg_class.relnamespace
  WHERE pg_namespace.nspname = {{schema_name}} AND has_schema_privilege(pg_namespace.oid, 'USAGE')
)
