-- Whom somebody (the subject) does not want to be told about them, whatever their role in the family.

CREATE TABLE alert_recipient_exclusions (
  subject_user_id TEXT NOT NULL,
  excluded_user_id TEXT NOT NULL,
  PRIMARY KEY (subject_user_id, excluded_user_id),
  CONSTRAINT alert_recipient_exclusions_subject
    FOREIGN KEY (subject_user_id) REFERENCES users (id),
  CONSTRAINT alert_recipient_exclusions_excluded
    FOREIGN KEY (excluded_user_id) REFERENCES users (id),
  CONSTRAINT alert_recipient_exclusions_are_of_others CHECK (
    subject_user_id <> excluded_user_id
  )
) STRICT, WITHOUT ROWID;
