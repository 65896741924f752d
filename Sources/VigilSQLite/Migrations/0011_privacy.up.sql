-- Whose data are to be erased, and whose were.

CREATE TABLE erasure_requests (
  user_id TEXT PRIMARY KEY NOT NULL,
  requested_at TEXT NOT NULL,
  due_at TEXT NOT NULL,
  CONSTRAINT erasure_requests_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT erasure_requests_times_are_utc CHECK (
    requested_at GLOB '????-??-??T??:??:??.??????Z' AND due_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT erasure_requests_times_in_order CHECK (requested_at <= due_at)
) STRICT, WITHOUT ROWID;

-- It holds no id, and refers to nothing.
CREATE TABLE erased_persons (
  person_digest TEXT PRIMARY KEY NOT NULL,
  key_id TEXT NOT NULL,
  erased_at TEXT NOT NULL,
  CONSTRAINT erased_persons_digest_is_hex CHECK (
    length(person_digest) = 64 AND person_digest NOT GLOB '*[^0-9a-f]*'
  ),
  CONSTRAINT erased_persons_key_id_is_hex CHECK (
    length(key_id) = 16 AND key_id NOT GLOB '*[^0-9a-f]*'
  ),
  CONSTRAINT erased_persons_erased_at_is_utc CHECK (
    erased_at GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT, WITHOUT ROWID;
