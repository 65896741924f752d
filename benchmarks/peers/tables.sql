-- Empty output tables for a peer, in a schema of its own: those of the engine with every index, check and
-- foreign key, so that a row costs a peer what it costs the engine.
--
-- psql --set peer=peer_sql --file tables.sql
\set ON_ERROR_STOP 1
SET client_min_messages = warning;

-- Apart, because an extension is there once in a database.
CREATE SCHEMA IF NOT EXISTS peer_ids;
CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA peer_ids;

DROP SCHEMA IF EXISTS :"peer" CASCADE;
CREATE SCHEMA :"peer";
SET search_path = :"peer";

CREATE TABLE pattern_alert_state (
  LIKE public.pattern_alert_state INCLUDING ALL,
  FOREIGN KEY (user_id) REFERENCES public.users (id)
) WITH (fillfactor = 80);

CREATE TABLE shadow_notification_queue (
  LIKE public.shadow_notification_queue INCLUDING ALL,
  FOREIGN KEY (alert_state_id) REFERENCES pattern_alert_state (id),
  FOREIGN KEY (recipient_user_id) REFERENCES public.users (id),
  FOREIGN KEY (member_user_id) REFERENCES public.users (id)
);
