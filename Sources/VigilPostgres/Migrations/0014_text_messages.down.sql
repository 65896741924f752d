DROP FUNCTION {{schema}}.own_sms_quota();
DROP FUNCTION {{schema}}.record_sms_delivery(text, text);
DROP FUNCTION {{schema}}.record_sms_delivery(text, text, timestamptz);
