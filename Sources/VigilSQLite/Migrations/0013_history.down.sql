DROP TRIGGER vigil_history_delete;
DROP TRIGGER vigil_history_update;
DROP TRIGGER vigil_history_insert;
DROP TABLE calm_digests;
DROP TABLE history_state;
DROP TABLE metric_history;
