-- Episodes as alerts, the profile that they are found with, and what families read of them.

-- MARK: Tables

CREATE TABLE {{schema}}.database_profile (
  part text PRIMARY KEY,
  profile text NOT NULL,
  version text NOT NULL,
  digest text NOT NULL,
  adopted_at timestamptz NOT NULL,
  settles_on date,
  CONSTRAINT database_profile_part_known CHECK (part IN ('patterns', 'vitality')),
  CONSTRAINT database_profile_names_file CHECK (profile = version || '@' || left(digest, 12)),
  CONSTRAINT database_profile_settles_on_is_date CHECK (
    settles_on >= DATE '0001-01-01' AND settles_on <= DATE '9999-12-31'
  )
);

COMMENT ON TABLE {{schema}}.database_profile IS
  'The settings files that the rows of this database are made with. A run with other files is '
  'refused. The first run writes a row, and a run with --switch-profile replaces it.';
COMMENT ON COLUMN {{schema}}.database_profile.part IS
  'What the file decides: patterns (a thresholds file) or vitality.';
COMMENT ON COLUMN {{schema}}.database_profile.profile IS
  'Version, @ and the first 12 digits of the digest, such as v1@0123456789ab.';
COMMENT ON COLUMN {{schema}}.database_profile.version IS
  'Version that the file gives itself, such as v1.';
COMMENT ON COLUMN {{schema}}.database_profile.digest IS
  'SHA-256 of the file, in 64 hexadecimal digits.';
COMMENT ON COLUMN {{schema}}.database_profile.adopted_at IS
  'When the first run with this file began.';
COMMENT ON COLUMN {{schema}}.database_profile.settles_on IS
  'Runs notify no member, and count active alerts as notified, until a nightly run of all persons has '
  'succeeded for this day or a later one. NULL after that, and for the first profile.';

-- Every night updates the active episodes. An update touches no index where the new version of the row
-- finds room on its page: with a fillfactor of 80 that is nine in ten after a few nights, with 100
-- hardly any.
CREATE TABLE {{schema}}.pattern_alert_state (
  id uuid PRIMARY KEY,
  profile text NOT NULL,
  user_id uuid NOT NULL,
  -- It does not refer to medications: what was found outlives the row.
  medication_id uuid,
  metric_type text NOT NULL,
  pattern_type text NOT NULL,
  event_id uuid NOT NULL,
  episode_status text NOT NULL,
  active_since date NOT NULL,
  last_evaluated_date date NOT NULL,
  consecutive_true_days integer NOT NULL,
  current_level integer NOT NULL,
  severity text NOT NULL,
  last_notified_level integer,
  last_notified_at timestamptz,
  shadow_notified_level integer,
  snooze_until date,
  dismissed_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  baseline_start date NOT NULL,
  baseline_end date NOT NULL,
  baseline_days integer NOT NULL,
  baseline_value double precision NOT NULL,
  recent_start date NOT NULL,
  recent_end date NOT NULL,
  recent_value double precision NOT NULL,
  deviation_fraction double precision,
  opened_on date,
  window_days integer,
  evidence double precision,
  evidence_threshold double precision,
  shift_spreads double precision,
  anchor text,
  longest_pause_days integer,
  resolved_on date,
  resolution_reason text,
  thresholds_version text NOT NULL,
  thresholds_digest text NOT NULL,
  run_id uuid NOT NULL,
  computed_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT pattern_alert_state_metric_type_not_empty CHECK (metric_type <> ''),
  CONSTRAINT pattern_alert_state_pattern_type_known CHECK (
    pattern_type IN (
      'drop_vs_baseline', 'rise_vs_baseline', 'worse_than_usual', 'silence', 'medication',
      'critical_value_below', 'critical_value_above'
    )
    AND (pattern_type = 'worse_than_usual') = (metric_type = 'combined')
    AND (pattern_type = 'silence') = (metric_type IN ('inactivity', 'check_in_overdue'))
    AND (pattern_type = 'medication')
      = (metric_type IN ('missed_streak', 'missed_dose', 'refill_due', 'expiry_due'))
    AND (pattern_type = 'medication') = (medication_id IS NOT NULL)
  ),
  CONSTRAINT pattern_alert_state_episode_status_known CHECK (
    episode_status IN ('active', 'resolved')
  ),
  CONSTRAINT pattern_alert_state_severity_matches_level CHECK (
    CASE current_level
      WHEN 3 THEN
        severity = CASE
          WHEN metric_type IN ('missed_streak', 'refill_due', 'expiry_due') THEN 'attention'
          ELSE 'watch'
        END
      WHEN 7 THEN
        metric_type <> 'missed_dose'
        AND severity = CASE metric_type WHEN 'inactivity' THEN 'watch' ELSE 'attention' END
      WHEN 14 THEN severity = 'critical' AND metric_type <> 'missed_dose'
      WHEN 21 THEN severity = 'critical' AND metric_type <> 'missed_dose'
      ELSE FALSE
    END
  ),
  CONSTRAINT pattern_alert_state_notified_levels_known CHECK (
    last_notified_level IN (3, 7, 14, 21) AND shadow_notified_level IN (3, 7, 14, 21)
  ),
  -- A date column also takes infinity and other eras.
  CONSTRAINT pattern_alert_state_dates_are_dates CHECK (
    least(active_since, baseline_start, recent_start, resolved_on, snooze_until)
      >= DATE '0001-01-01'
    AND greatest(last_evaluated_date, baseline_end, recent_end, resolved_on, snooze_until)
      <= DATE '9999-12-31'
  ),
  CONSTRAINT pattern_alert_state_dates_in_order CHECK (
    active_since <= last_evaluated_date
    AND baseline_start <= baseline_end
    AND recent_start <= recent_end
    AND opened_on BETWEEN active_since AND last_evaluated_date
  ),
  CONSTRAINT pattern_alert_state_days_positive CHECK (
    consecutive_true_days > 0 AND baseline_days > 0 AND window_days > 0
  ),
  -- PostgreSQL orders NaN above infinity.
  CONSTRAINT pattern_alert_state_values_in_range CHECK (
    consecutive_true_days <= 4000000
    AND baseline_days <= 4000000
    AND abs(baseline_value) < 'Infinity'
    AND abs(recent_value) < 'Infinity'
    AND abs(deviation_fraction) < 'Infinity'
    AND window_days <= 4000000
    AND abs(evidence) < 'Infinity'
    AND abs(evidence_threshold) < 'Infinity'
    AND abs(shift_spreads) < 'Infinity'
    AND longest_pause_days BETWEEN 0 AND 4000000
  ),
  CONSTRAINT pattern_alert_state_evidence_complete CHECK (
    CASE
      WHEN metric_type = 'inactivity' THEN num_nulls(opened_on, evidence_threshold, longest_pause_days) = 0
        AND num_nonnulls(window_days, evidence, shift_spreads, anchor) = 0
      WHEN pattern_type IN ('critical_value_below', 'critical_value_above')
        THEN num_nulls(opened_on, window_days, evidence, evidence_threshold, anchor) = 0
        AND num_nonnulls(shift_spreads, longest_pause_days) = 0
      ELSE num_nulls(opened_on, window_days, evidence, evidence_threshold, anchor) IN (0, 5)
        AND (shift_spreads IS NULL)
          = (opened_on IS NULL OR anchor::jsonb ? 'held_level')
        AND longest_pause_days IS NULL
    END
  ),
  -- Text keeps each number as it was written: jsonb forgets the sign of a zero.
  CONSTRAINT pattern_alert_state_anchor_is_json CHECK (json_typeof(anchor::json) = 'object'),
  CONSTRAINT pattern_alert_state_resolution_matches_status CHECK (
    (episode_status = 'resolved') = (resolved_on IS NOT NULL)
    AND (resolved_on IS NULL) = (resolution_reason IS NULL)
  ),
  CONSTRAINT pattern_alert_state_resolution_reason_known CHECK (
    resolution_reason IN (
      'recovered', 'superseded', 'no_data', 'rebased', 'recalibrated', 'left', 'limit_ended', 'retracted',
      'profile_changed'
    )
  ),
  CONSTRAINT pattern_alert_state_profile_names_thresholds CHECK (
    profile = thresholds_version || '@' || left(thresholds_digest, 12)
  )
) WITH (fillfactor = 80);

-- The subject of an alert is one of the person's medications, or the person.
CREATE UNIQUE INDEX pattern_alert_state_natural_key
ON {{schema}}.pattern_alert_state (
  profile, user_id, metric_type, pattern_type, active_since, coalesce(medication_id, user_id)
);

CREATE UNIQUE INDEX pattern_alert_state_one_active
ON {{schema}}.pattern_alert_state (
  profile, user_id, metric_type, pattern_type, coalesce(medication_id, user_id)
)
WHERE episode_status = 'active';

CREATE INDEX pattern_alert_state_by_status_and_level
ON {{schema}}.pattern_alert_state (user_id, episode_status, current_level);

-- The alerts of an event besides the one that started it; most alerts are the only one of their event.
CREATE INDEX pattern_alert_state_by_event
ON {{schema}}.pattern_alert_state (event_id)
WHERE event_id <> id;

COMMENT ON TABLE {{schema}}.pattern_alert_state IS
  'Alerts: one row for each episode, a lasting deviation of a metric of a person, or days in a row on which '
  'something was found about one of their medications. Runs write it and never delete a row; persons '
  'acknowledge, snooze and dismiss.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.id IS
  'UUIDv5 of profile, person, metric, pattern, medication if any, and first day: the same episode has the '
  'same id in every database.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.profile IS
  'The thresholds profile that found the episode: version, @ and the first 12 digits of the digest. '
  'Two profiles never write each other''s rows.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.user_id IS
  'The person.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.medication_id IS
  'The medication that the alert is about. NULL for an alert about the person.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.metric_type IS
  'The metric, such as steps; a column of wearable_daily_metrics or dose_adherence_pct. combined is '
  'several metrics of the person together, inactivity days without any sign of life, '
  'check_in_overdue days with an overdue check-in. missed_streak (doses were missed in a row), '
  'missed_dose (one dose of a medication that is taken rarely is overdue), refill_due (the rest lasts a '
  'few days only) and expiry_due (a new package is needed, because the one in use expires) are about a medication.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.pattern_type IS
  'drop_vs_baseline or rise_vs_baseline; critical_value_below or critical_value_above of values beyond a limit; '
  'worse_than_usual of combined, silence of inactivity and '
  'check_in_overdue, medication of missed_streak, missed_dose, refill_due and expiry_due.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.event_id IS
  'The alert that started the event: what is going on with a person at one time, in one metric or in '
  'several. Members are notified of the event once. Its own id, where the alert started the event.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.episode_status IS
  'active or resolved.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.active_since IS
  'The first of the recent days on the day that began the episode; of a medication the first day on which '
  'it was found, the first day of the streak, or the day on which the dose was due. It identifies the episode within its series.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.last_evaluated_date IS
  'The last day that changed the episode: its last deviating day or the day of its end.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.consecutive_true_days IS
  'Days from active_since to the last deviating day, both included.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.current_level IS
  'The level that the episode has reached: 3, 7, 14 or 21 days. The first day on which something is found '
  'about a medication has 3, the fifth 7. A limit says with which level its alert opens.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.severity IS
  'watch (level 3), attention (7) or critical (14 and 21). Of a medication, level 3 is attention, too; of inactivity '
  'each level is watch.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.last_notified_level IS
  'The highest level for which a live run enqueued a notification. NULL before the first.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.last_notified_at IS
  'When a live run last enqueued a notification.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.shadow_notified_level IS
  'The highest level for which a shadow run planned a notification. NULL before the first.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.snooze_until IS
  'The day on which a snooze is over and notifications resume. Set by a person.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.dismissed_at IS
  'When a person dismissed the alert. NULL where it is not dismissed.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.acknowledged_at IS
  'When a person acknowledged the alert.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.acknowledged_by IS
  'The person who acknowledged the alert.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.baseline_start IS
  'The first day of the baseline.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.baseline_end IS
  'The last day of the baseline.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.baseline_days IS
  'Days with a value in the baseline.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.baseline_value IS
  'What is usual for the person, in the unit of the metric; of combined 0; of values beyond a limit the limit.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.recent_start IS
  'The first of the recent days that are compared with the baseline.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.recent_end IS
  'The last of the recent days.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.recent_value IS
  'The value of the recent days, in the unit of the metric; of combined the mean of the contributing '
  'metrics in personal spreads; of values beyond a limit the last of them.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.deviation_fraction IS
  'Difference of recent value and baseline as a fraction of the baseline: -0.5 is half of it. NULL '
  'where the baseline is 0.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.opened_on IS
  'The day on which the evidence, the silence of inactivity, or the values beyond a limit, were enough. NULL, as the other columns '
  'about evidence, where the profile compares means.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.window_days IS
  'Days with a value from recent_start to recent_end, the window that gave the evidence; of combined '
  'days of the calendar up to recent_end; of a limit the values in a row that it took.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.evidence IS
  'How far the window is from what is usual, in standard deviations of such windows; of missed doses '
  'in nats; of a limit the value that opened the alert, in the unit of the metric.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.evidence_threshold IS
  'The evidence that the day needed; of inactivity the silent days; of a limit the limit that opened the alert.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.shift_spreads IS
  'The mean of the window in personal spreads from what is usual; positive is bad. NULL for missed doses.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.anchor IS
  'What is usual for the person, against which the days of the episode are judged: JSON with mean, '
  'weekdays (what each adds, Sunday first), spread, autocorrelation and noise, on the transformed scale '
  'of the metric. Of combined the metrics: contributing, each with its evidence z, its shift, its baseline '
  'and recent window and such an anchor; and unchanged, which took part without contributing. Of missed doses the doses '
  'missed and expected in the window and usually, recorded_on (the first day since active_since with a record of a dose), '
  'and the usual shares: share, weekdays, within_day, run, counted_doses, held_level. Of a limit level, with which the '
  'alert opened.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.longest_pause_days IS
  'The longest time without data in the half-year before the silence, in days. NULL for other alerts than '
  'inactivity.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.resolved_on IS
  'The day on which the episode ended. NULL while it is active.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.resolution_reason IS
  'Why the episode ended: recovered, superseded (a new episode took its place), no_data, rebased (the '
  'new value became usual), recalibrated (another device measures), left (silent for so long that the person '
  'no longer sends data), limit_ended (no limit holds any more), retracted (late data do not support it) or profile_changed.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.thresholds_version IS
  'Version of the thresholds file.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.thresholds_digest IS
  'SHA-256 of the thresholds file, in 64 hexadecimal digits.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.run_id IS
  'The run that last changed the row.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.computed_at IS
  'When the run computed the values of the row.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.created_at IS
  'When the row was added.';
COMMENT ON COLUMN {{schema}}.pattern_alert_state.updated_at IS
  'When the row was last changed.';

CREATE TABLE {{schema}}.alert_actions (
  id uuid PRIMARY KEY,
  alert_state_id uuid NOT NULL,
  action text NOT NULL,
  actor_user_id uuid NOT NULL,
  acted_at timestamptz NOT NULL,
  snooze_until date,
  CONSTRAINT alert_actions_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES {{schema}}.pattern_alert_state (id) ON DELETE RESTRICT,
  CONSTRAINT alert_actions_action_known CHECK (
    action IN ('acknowledge', 'snooze', 'dismiss', 'restore')
  ),
  CONSTRAINT alert_actions_snooze_has_end CHECK ((action = 'snooze') = (snooze_until IS NOT NULL))
);

CREATE INDEX alert_actions_by_alert ON {{schema}}.alert_actions (alert_state_id, acted_at);

COMMENT ON TABLE {{schema}}.alert_actions IS
  'Who acknowledged, snoozed, dismissed or restored an alert, and when. Columns of the alert show what '
  'holds now.';
COMMENT ON COLUMN {{schema}}.alert_actions.id IS
  'The action.';
COMMENT ON COLUMN {{schema}}.alert_actions.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.alert_actions.action IS
  'acknowledge, snooze, dismiss or restore.';
COMMENT ON COLUMN {{schema}}.alert_actions.actor_user_id IS
  'The person who acted.';
COMMENT ON COLUMN {{schema}}.alert_actions.acted_at IS
  'When the person acted.';
COMMENT ON COLUMN {{schema}}.alert_actions.snooze_until IS
  'The day on which the snooze is over. NULL for other actions.';

CREATE TABLE {{schema}}.alert_reads (
  id uuid PRIMARY KEY,
  alert_state_id uuid NOT NULL,
  user_id uuid NOT NULL,
  read_at timestamptz NOT NULL,
  CONSTRAINT alert_reads_alert_state FOREIGN KEY (alert_state_id)
    REFERENCES {{schema}}.pattern_alert_state (id) ON DELETE RESTRICT
);

CREATE INDEX alert_reads_by_user ON {{schema}}.alert_reads (user_id, read_at);

CREATE INDEX alert_reads_by_alert ON {{schema}}.alert_reads (alert_state_id)
WHERE alert_state_id IS NOT NULL;

COMMENT ON TABLE {{schema}}.alert_reads IS
  'When members first read an alert in the app. Each member sees their own rows only.';
COMMENT ON COLUMN {{schema}}.alert_reads.id IS
  'UUIDv5 of the alert and the member.';
COMMENT ON COLUMN {{schema}}.alert_reads.alert_state_id IS
  'The alert.';
COMMENT ON COLUMN {{schema}}.alert_reads.user_id IS
  'The member who read it.';
COMMENT ON COLUMN {{schema}}.alert_reads.read_at IS
  'When the member first read it, or another alert of its event.';

-- A foreign key can refer to a table only, and users may be a view.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_class
    WHERE oid = to_regclass(format('%I.users', {{schema_name}})) AND relkind = 'r'
  ) THEN
    ALTER TABLE {{schema}}.pattern_alert_state
      ADD CONSTRAINT pattern_alert_state_user
        FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.alert_actions
      ADD CONSTRAINT alert_actions_actor
        FOREIGN KEY (actor_user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
    ALTER TABLE {{schema}}.alert_reads
      ADD CONSTRAINT alert_reads_user FOREIGN KEY (user_id) REFERENCES {{schema}}.users (id) ON DELETE RESTRICT;
  END IF;
END
$$;

-- MARK: Rights

-- A backfill records the first profile of a database. A switch of the profile would silence everyone.
ALTER TABLE {{schema}}.database_profile ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.database_profile TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.database_profile
TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.database_profile
FOR SELECT TO vigil_reader USING (TRUE);
GRANT SELECT, INSERT, UPDATE ON {{schema}}.database_profile TO vigil_engine;
GRANT SELECT, INSERT ON {{schema}}.database_profile TO vigil_backfill;
GRANT SELECT ON {{schema}}.database_profile TO vigil_reader;

-- A backfill changes neither whose alert it is and since when, nor what persons have set, nor which
-- levels were notified.
ALTER TABLE {{schema}}.pattern_alert_state ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.pattern_alert_state TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.pattern_alert_state
TO vigil_engine, vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.pattern_alert_state FOR SELECT TO vigil_reader
USING (user_id = ANY (ARRAY(SELECT {{schema}}.vigil_visible_users())));
GRANT SELECT, INSERT, UPDATE ON {{schema}}.pattern_alert_state TO vigil_engine;
GRANT SELECT, INSERT, UPDATE (
  event_id, episode_status, last_evaluated_date, consecutive_true_days, current_level, severity,
  shadow_notified_level, baseline_start, baseline_end, baseline_days, baseline_value, recent_start,
  recent_end, recent_value, deviation_fraction, opened_on, window_days, evidence, evidence_threshold,
  shift_spreads, anchor, longest_pause_days, resolved_on, resolution_reason, thresholds_version,
  thresholds_digest, run_id, computed_at, updated_at
) ON {{schema}}.pattern_alert_state TO vigil_backfill;
GRANT SELECT ON {{schema}}.pattern_alert_state TO vigil_reader;

-- A sender sees whether an alert is still to be notified of, and nothing of what was measured.
CREATE POLICY vigil_sender ON {{schema}}.pattern_alert_state FOR SELECT TO vigil_sender USING (TRUE);
GRANT SELECT (id, user_id, medication_id, event_id, episode_status, snooze_until, dismissed_at)
ON {{schema}}.pattern_alert_state TO vigil_sender;

-- A family sees which of its members acknowledged, snoozed or dismissed an alert.
ALTER TABLE {{schema}}.alert_actions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.alert_actions TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.alert_actions TO vigil_engine USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.alert_actions FOR SELECT TO vigil_reader
USING (
  EXISTS (SELECT FROM {{schema}}.pattern_alert_state AS alert WHERE alert.id = alert_state_id)
);
GRANT SELECT, INSERT ON {{schema}}.alert_actions TO vigil_engine;
GRANT SELECT ON {{schema}}.alert_actions TO vigil_reader;
-- A sender sees whether an alert was acknowledged, and not by whom.
CREATE POLICY vigil_sender ON {{schema}}.alert_actions FOR SELECT TO vigil_sender USING (TRUE);
GRANT SELECT (alert_state_id, action, acted_at)
ON {{schema}}.alert_actions TO vigil_sender;

-- What a member has read is theirs alone to know.
ALTER TABLE {{schema}}.alert_reads ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY vigil_owner ON {{schema}}.alert_reads TO CURRENT_USER USING (TRUE);
CREATE POLICY vigil_engine ON {{schema}}.alert_reads TO vigil_engine USING (TRUE);
-- A run does not remind of a silence that a member has read of.
CREATE POLICY vigil_backfill ON {{schema}}.alert_reads FOR SELECT TO vigil_backfill USING (TRUE);
CREATE POLICY vigil_reader ON {{schema}}.alert_reads FOR SELECT TO vigil_reader
USING (user_id = (SELECT {{schema}}.vigil_viewer_id()));
GRANT SELECT, INSERT ON {{schema}}.alert_reads TO vigil_engine;
GRANT SELECT (alert_state_id) ON {{schema}}.alert_reads TO vigil_backfill;
GRANT SELECT ON {{schema}}.alert_reads TO vigil_reader;

-- MARK: Reading alerts

-- SECURITY INVOKER, so that row-level security of the caller lies beneath the function, and because only
-- so the function knows who calls it. Roles that see every row may ask on behalf of any person. All
-- others may ask only for the person of app.current_user_id, whose families vigil_visible_members()
-- knows even where family_members is a view that they cannot read. A family that does not exist has no
-- members, so that the error does not say which families exist.
CREATE FUNCTION {{schema}}.vigil_family_persons(family_id uuid, viewer uuid)
RETURNS uuid[]
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  persons uuid[];
BEGIN
  IF EXISTS (
    SELECT FROM pg_roles AS trusted
    WHERE (
        trusted.rolname IN ('vigil_engine', 'vigil_backfill')
        OR trusted.oid = (
          SELECT relowner FROM pg_class
          WHERE relname = 'pattern_alert_state'
            AND relnamespace = quote_ident({{schema_name}})::regnamespace
        )
      )
      AND pg_has_role(trusted.oid, 'USAGE')
  ) THEN
    SELECT array_agg(member.user_id) INTO persons
    FROM {{schema}}.family_members AS member
    WHERE member.family_id = vigil_family_persons.family_id
      AND member.invite_status = 'accepted'
      AND (
        member.user_id = vigil_family_persons.viewer
        OR NOT EXISTS (
          SELECT FROM {{schema}}.alert_recipient_exclusions AS exclusion
          WHERE exclusion.subject_user_id = member.user_id
            AND exclusion.excluded_user_id = vigil_family_persons.viewer
        ) AND NOT EXISTS (
          SELECT FROM {{schema}}.family_members AS own
          WHERE own.family_id = member.family_id AND own.user_id = vigil_family_persons.viewer
            AND own.role::text = 'dependent'
        )
      );
  ELSIF viewer = {{schema}}.vigil_viewer_id() THEN
    SELECT array_agg(member.user_id) INTO persons
    FROM {{schema}}.vigil_visible_members() AS member
    WHERE member.family_id = vigil_family_persons.family_id AND member.is_readable;
  ELSE
    RAISE EXCEPTION 'the viewer is not the person of app.current_user_id'
      USING ERRCODE = 'insufficient_privilege',
        HINT = 'set app.current_user_id to the person on whose behalf alerts are read';
  END IF;

  IF (viewer = ANY (persons)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the viewer is not an accepted member of this family'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'viewer_is_accepted_member';
  END IF;

  RETURN persons;
END
$$;

COMMENT ON FUNCTION {{schema}}.vigil_family_persons(uuid, uuid) IS
  'Returns the members of a family whose alerts a viewer reads, and the viewer, who must be an accepted member.';

-- SECURITY INVOKER, with the rights and refusals of vigil_family_persons, as all that families read.
CREATE FUNCTION {{schema}}.get_family_pattern_alerts(
  family_id uuid, viewer uuid, day date DEFAULT (now() AT TIME ZONE 'UTC')::date
)
RETURNS TABLE (
  -- Of the alert that describes the event: several metrics together, or else the highest level.
  id uuid,
  event_id uuid,
  user_id uuid,
  -- NULL for an event of the person.
  medication_id uuid,
  metric_type text,
  pattern_type text,
  active_since date,
  last_evaluated_date date,
  consecutive_true_days integer,
  -- Of the event: the highest of its alerts, also of those that have ended.
  current_level integer,
  severity text,
  baseline_value double precision,
  recent_value double precision,
  -- A fraction of the baseline; NULL where the baseline is 0.
  deviation_fraction double precision,
  -- Days with a value in the recent value; NULL where the profile compares means.
  window_days integer,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  -- The alerts of the event that go on, the one above first: objects with id, medication_id, metric_type,
  -- pattern_type, active_since, consecutive_true_days, current_level, deviation_fraction and window_days.
  members jsonb
)
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  persons uuid[] := {{schema}}.vigil_family_persons(family_id, viewer);
BEGIN
  RETURN QUERY
  WITH shown AS (
    SELECT
      alert.*,
      row_number() OVER (
        PARTITION BY alert.event_id
        ORDER BY alert.metric_type <> 'combined', alert.current_level DESC, alert.active_since, alert.id
      ) AS place
    FROM {{schema}}.pattern_alert_state AS alert
    WHERE alert.user_id = ANY (persons)
      AND alert.user_id <> viewer
      AND alert.metric_type <> 'inactivity'
      AND alert.episode_status = 'active'
      AND NOT EXISTS (
        SELECT FROM {{schema}}.database_profile AS own
        WHERE own.part = 'patterns' AND own.profile <> alert.profile
      )
      AND alert.dismissed_at IS NULL
      AND (alert.snooze_until IS NULL OR alert.snooze_until <= get_family_pattern_alerts.day)
  ), event AS (
    SELECT shown.event_id, jsonb_agg(
      jsonb_build_object(
        'id', shown.id, 'medication_id', shown.medication_id, 'metric_type', shown.metric_type,
        'pattern_type', shown.pattern_type,
        'active_since', shown.active_since, 'consecutive_true_days', shown.consecutive_true_days,
        'current_level', shown.current_level, 'deviation_fraction', shown.deviation_fraction,
        'window_days', shown.window_days
      )
      ORDER BY shown.place
    ) AS alerts
    FROM shown GROUP BY shown.event_id
  )
  SELECT
    shown.id, shown.event_id, shown.user_id, shown.medication_id, shown.metric_type,
    shown.pattern_type,
    shown.active_since, shown.last_evaluated_date, shown.consecutive_true_days, highest.level,
    CASE
      WHEN highest.level = 3 AND shown.pattern_type <> 'medication' THEN 'watch'
      WHEN highest.level <= 7 THEN 'attention'
      ELSE 'critical'
    END,
    shown.baseline_value, shown.recent_value, shown.deviation_fraction, shown.window_days,
    shown.acknowledged_at, shown.acknowledged_by, event.alerts
  FROM shown
  JOIN event ON event.event_id = shown.event_id
  CROSS JOIN LATERAL (
    SELECT max(alert.current_level) AS level FROM (
      SELECT own.current_level FROM {{schema}}.pattern_alert_state AS own
      WHERE own.id = shown.event_id
      UNION ALL
      SELECT joined.current_level FROM {{schema}}.pattern_alert_state AS joined
      WHERE joined.event_id = shown.event_id AND joined.event_id <> joined.id
    ) AS alert
  ) AS highest
  WHERE shown.place = 1
  ORDER BY highest.level DESC, shown.active_since, shown.id;
END
$$;

COMMENT ON FUNCTION {{schema}}.get_family_pattern_alerts(uuid, uuid, date) IS
  'Returns the events of a family''s members, other than the viewer, that call for attention on a day, by default '
  'today in UTC: those with an alert that is active, of the database''s own profile, not dismissed and not snoozed '
  'past that day. The highest level comes first, and of one level the longest. Persons without data are not among '
  'them, but in get_family_silences. The viewer must be an accepted member.';

CREATE FUNCTION {{schema}}.get_family_silences(
  family_id uuid, viewer uuid, day date DEFAULT (now() AT TIME ZONE 'UTC')::date
)
RETURNS TABLE (
  id uuid,
  user_id uuid,
  -- The last day with a sign of life.
  last_sign date,
  silent_days integer,
  -- The longest time without data in the half-year before.
  longest_pause_days integer,
  opened_on date,
  acknowledged_at timestamptz,
  acknowledged_by uuid
)
LANGUAGE plpgsql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  persons uuid[] := {{schema}}.vigil_family_persons(family_id, viewer);
BEGIN
  RETURN QUERY
  SELECT
    alert.id, alert.user_id, alert.active_since - 1, alert.consecutive_true_days,
    alert.longest_pause_days, alert.opened_on, alert.acknowledged_at, alert.acknowledged_by
  FROM {{schema}}.pattern_alert_state AS alert
  WHERE alert.user_id = ANY (persons)
    AND alert.user_id <> get_family_silences.viewer
    AND alert.metric_type = 'inactivity'
    AND alert.episode_status = 'active'
    AND NOT EXISTS (
      SELECT FROM {{schema}}.database_profile AS own
      WHERE own.part = 'patterns' AND own.profile <> alert.profile
    )
    AND alert.dismissed_at IS NULL
    AND (alert.snooze_until IS NULL OR alert.snooze_until <= get_family_silences.day)
  ORDER BY alert.active_since, alert.id;
END
$$;

COMMENT ON FUNCTION {{schema}}.get_family_silences(uuid, uuid, date) IS
  'Returns the members of a family, other than the viewer, of whom there is no data: those with an alert of '
  'silence that is active, of the database''s own profile, not dismissed and not snoozed past the day. The '
  'longest silence comes first. The viewer must be an accepted member.';

REVOKE ALL ON FUNCTION
  {{schema}}.vigil_family_persons(uuid, uuid),
  {{schema}}.get_family_pattern_alerts(uuid, uuid, date),
  {{schema}}.get_family_silences(uuid, uuid, date)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  {{schema}}.vigil_family_persons(uuid, uuid),
  {{schema}}.get_family_pattern_alerts(uuid, uuid, date),
  {{schema}}.get_family_silences(uuid, uuid, date)
TO vigil_engine, vigil_backfill, vigil_reader;
