-- What persons should take and what they took.
--
-- Whether an instant lies in the future is left to the import and the run: no constraint can ask the
-- clock. Lists are JSON.

CREATE TABLE medications (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  generic_name TEXT,
  dosage TEXT NOT NULL,
  form TEXT NOT NULL,
  instructions TEXT,
  prescribed_by TEXT,
  purpose TEXT,
  side_effects TEXT,
  color TEXT,
  icon TEXT,
  is_active INTEGER NOT NULL DEFAULT 1,
  start_date TEXT NOT NULL,
  end_date TEXT,
  refill_reminder_enabled INTEGER NOT NULL DEFAULT 0,
  refill_total_quantity INTEGER,
  refill_remaining_quantity INTEGER,
  refill_reminder_threshold INTEGER,
  refill_counted_at TEXT,
  refill_units_per_dose REAL,
  refill_reminder_days INTEGER,
  missed_after_minutes INTEGER,
  expires_on TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  is_deleted INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT medications_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT medications_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT medications_form_known CHECK (
    form IN (
      'pill', 'capsule', 'liquid', 'injection', 'topical', 'inhaler', 'drops', 'patch', 'other'
    )
  ),
  CONSTRAINT medications_color_is_hex CHECK (
    color IS NULL OR (length(color) = 7 AND color GLOB '#*' AND substr(color, 2) NOT GLOB '*[^0-9A-Fa-f]*')
  ),
  CONSTRAINT medications_booleans CHECK (
    is_active IN (0, 1) AND refill_reminder_enabled IN (0, 1) AND is_deleted IN (0, 1)
  ),
  CONSTRAINT medications_dates_are_dates CHECK (
    start_date IS date(start_date) AND end_date IS date(end_date)
    AND expires_on IS date(expires_on)
  ),
  CONSTRAINT medications_dates_in_order CHECK (end_date IS NULL OR end_date >= start_date),
  CONSTRAINT medications_refill_in_order CHECK (
    coalesce(refill_remaining_quantity <= refill_total_quantity, 1)
  ),
  CONSTRAINT medications_missed_after_in_range CHECK (
    coalesce(missed_after_minutes BETWEEN 0 AND 10080, 1)
  ),
  CONSTRAINT medications_refill_in_range CHECK (
    coalesce(refill_remaining_quantity >= 0, 1) AND coalesce(refill_reminder_threshold >= 0, 1)
    AND coalesce(refill_reminder_days >= 0, 1)
    AND coalesce(refill_units_per_dose > 0 AND refill_units_per_dose < 9e999, 1)
  ),
  CONSTRAINT medications_refill_counted_at_is_utc CHECK (
    refill_counted_at IS NULL OR refill_counted_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT medications_lists_are_json CHECK (
    (side_effects IS NULL OR json_valid(side_effects))
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX medications_by_user ON medications (user_id);

CREATE TABLE schedules (
  id TEXT PRIMARY KEY NOT NULL,
  medication_id TEXT NOT NULL,
  type TEXT NOT NULL,
  reference_timezone TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  start_date TEXT NOT NULL,
  end_date TEXT,
  time_based_times TEXT,
  time_based_days_of_week TEXT,
  time_based_flexibility_minutes INTEGER,
  interval_based_hours REAL,
  interval_based_first_dose_time TEXT,
  interval_based_max_doses_per_day INTEGER,
  as_needed_min_interval_hours REAL,
  as_needed_max_doses_per_day INTEGER,
  as_needed_conditions TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT schedules_medication FOREIGN KEY (medication_id) REFERENCES medications (id)
    ON DELETE CASCADE,
  CONSTRAINT schedules_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT schedules_type_known CHECK (type IN ('timeBased', 'intervalBased', 'asNeeded')),
  CONSTRAINT schedules_booleans CHECK (
    is_active IN (0, 1)
  ),
  CONSTRAINT schedules_dates_are_dates CHECK (
    start_date IS date(start_date) AND end_date IS date(end_date)
  ),
  CONSTRAINT schedules_dates_in_order CHECK (end_date IS NULL OR end_date >= start_date),
  CONSTRAINT schedules_time_based_has_times CHECK (
    type <> 'timeBased' OR time_based_times IS NOT NULL
  ),
  CONSTRAINT schedules_interval_based_has_interval CHECK (
    type <> 'intervalBased'
    OR (interval_based_hours IS NOT NULL AND interval_based_first_dose_time IS NOT NULL)
  ),
  CONSTRAINT schedules_interval_positive CHECK (
    interval_based_hours IS NULL OR interval_based_hours > 0
  ),
  CONSTRAINT schedules_flexibility_not_negative CHECK (
    time_based_flexibility_minutes IS NULL OR time_based_flexibility_minutes >= 0
  ),
  CONSTRAINT schedules_times_are_utc CHECK (
    (interval_based_first_dose_time IS NULL OR interval_based_first_dose_time GLOB '????-??-??T??:??:??.??????Z')
  ),
  CONSTRAINT schedules_lists_are_json CHECK (
    (time_based_times IS NULL OR json_valid(time_based_times))
    AND (time_based_days_of_week IS NULL OR json_valid(time_based_days_of_week))
    AND (as_needed_conditions IS NULL OR json_valid(as_needed_conditions))
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX schedules_by_medication ON schedules (medication_id);

-- With a rowid: its indexes are searched far more often than its ids.
CREATE TABLE dose_history (
  id TEXT PRIMARY KEY NOT NULL,
  medication_id TEXT NOT NULL,
  schedule_id TEXT,
  status TEXT NOT NULL,
  scheduled_time TEXT,
  actual_time TEXT,
  recorded_timezone TEXT NOT NULL,
  dosage_amount TEXT,
  notes TEXT,
  side_effects_reported TEXT,
  location_latitude REAL,
  location_longitude REAL,
  location_city TEXT,
  location_country TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CONSTRAINT dose_history_medication FOREIGN KEY (medication_id) REFERENCES medications (id)
    ON DELETE CASCADE,
  CONSTRAINT dose_history_schedule FOREIGN KEY (schedule_id) REFERENCES schedules (id)
    ON DELETE SET NULL,
  CONSTRAINT dose_history_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT dose_history_status_known CHECK (
    status IN ('taken', 'skipped', 'missed', 'plannedSkip')
  ),
  CONSTRAINT dose_history_taken_has_time CHECK (status <> 'taken' OR actual_time IS NOT NULL),
  CONSTRAINT dose_history_latitude_in_range CHECK (
    location_latitude IS NULL OR location_latitude BETWEEN -90 AND 90
  ),
  CONSTRAINT dose_history_longitude_in_range CHECK (
    location_longitude IS NULL OR location_longitude BETWEEN -180 AND 180
  ),
  CONSTRAINT dose_history_location_is_whole CHECK (
    (location_latitude IS NULL) = (location_longitude IS NULL)
  ),
  CONSTRAINT dose_history_times_are_utc CHECK (
    (scheduled_time IS NULL OR scheduled_time GLOB '????-??-??T??:??:??.??????Z')
    AND (actual_time IS NULL OR actual_time GLOB '????-??-??T??:??:??.??????Z')
    AND created_at GLOB '????-??-??T??:??:??.??????Z'
  ),
  CONSTRAINT dose_history_lists_are_json CHECK (
    (side_effects_reported IS NULL OR json_valid(side_effects_reported))
  )
) STRICT;

-- A run reads the doses of one medication after the other over some months. The table has them in the
-- order in which they were logged, those of one medication as far apart as its days. An index that holds
-- all that a run reads has them side by side.
CREATE INDEX dose_history_by_medication ON dose_history (
  medication_id, scheduled_time, actual_time, id, schedule_id, status, recorded_timezone, created_at
);

-- Doses without a planned time, and those taken more than a day off it. The condition is that of the
-- query of a run, word for word.
CREATE INDEX dose_history_off_schedule ON dose_history (
  medication_id, actual_time, scheduled_time, id, schedule_id, status, recorded_timezone, created_at
) WHERE coalesce(
  abs(julianday(actual_time) - julianday(scheduled_time)) > 1, actual_time IS NOT NULL
);

CREATE INDEX dose_history_by_schedule ON dose_history (schedule_id);

CREATE TABLE timezone_events (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  previous_timezone TEXT NOT NULL,
  new_timezone TEXT NOT NULL,
  transition_time TEXT NOT NULL,
  detection_method TEXT NOT NULL,
  user_confirmed INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  CONSTRAINT timezone_events_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT timezone_events_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT timezone_events_detection_method_known CHECK (
    detection_method IN ('automatic', 'manual', 'gps')
  ),
  CONSTRAINT timezone_events_zones_differ CHECK (previous_timezone <> new_timezone),
  CONSTRAINT timezone_events_booleans CHECK (
    user_confirmed IN (0, 1)
  ),
  CONSTRAINT timezone_events_times_are_utc CHECK (
    transition_time GLOB '????-??-??T??:??:??.??????Z'
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX timezone_events_by_user ON timezone_events (user_id, transition_time);

CREATE TABLE schedule_adjustments (
  id TEXT PRIMARY KEY NOT NULL,
  timezone_event_id TEXT NOT NULL,
  schedule_id TEXT NOT NULL,
  strategy TEXT NOT NULL,
  old_times TEXT,
  new_times TEXT,
  created_at TEXT NOT NULL,
  CONSTRAINT schedule_adjustments_natural_key UNIQUE (timezone_event_id, schedule_id),
  CONSTRAINT schedule_adjustments_timezone_event FOREIGN KEY (timezone_event_id)
    REFERENCES timezone_events (id) ON DELETE CASCADE,
  CONSTRAINT schedule_adjustments_schedule FOREIGN KEY (schedule_id) REFERENCES schedules (id)
    ON DELETE CASCADE,
  CONSTRAINT schedule_adjustments_id_is_uuid CHECK (
    id GLOB '????????-????-????-????-????????????' AND id NOT GLOB '*[^0-9a-f-]*'
  ),
  CONSTRAINT schedule_adjustments_strategy_known CHECK (
    strategy IN ('keepLocalTime', 'keepAbsoluteTime', 'gradualShift', 'custom')
  ),
  CONSTRAINT schedule_adjustments_lists_are_json CHECK (
    (old_times IS NULL OR json_valid(old_times))
    AND (new_times IS NULL OR json_valid(new_times))
  )
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_adjustments_by_schedule ON schedule_adjustments (schedule_id);
