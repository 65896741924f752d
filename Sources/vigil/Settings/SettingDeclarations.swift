import Foundation
import Logging
import VigilModel
import VigilStorage

/// Every setting.
///
/// A new one is a declaration here, and an option of the commands that have one.
struct SettingDeclarations: Sendable {
  let database = Setting(
    SettingKey(
      "database", default: "sqlite:vigil.sqlite", allowed: "sqlite:PATH or postgres://HOST/NAME",
      "where the tables are"), read: { DatabaseLocation($0) })

  /// SQLite has none.
  let schema = Setting(
    SettingKey(
      "schema", default: "public", allowed: "the name of a schema",
      "which schema of a PostgreSQL database"),
    read: { $0.isEmpty || $0.utf8.count > 63 ? nil : $0 })

  let databaseRetry = Setting(
    SettingKey(
      "database_retry", default: "60", allowed: "seconds, from 0 to 86400",
      "how long a PostgreSQL server that is away is waited for", kind: .number),
    read: { Duration(settingSeconds: $0) })

  let thresholds = Setting(
    SettingKey(
      "thresholds", default: "auto",
      allowed: "auto, \(ThresholdsSource.names) (as shipped) or a file",
      "when a day deviates",
      note: "auto is what the database's alerts were found with, and v3 in a new one"),
    read: { ThresholdsChoice($0) })

  let vitality = Setting(
    SettingKey(
      "vitality", default: "auto", allowed: "auto, vitality.v1, vitality.v2 (as shipped) or a file",
      "how scores and trends are found",
      note: "auto is what the database's scores were computed with, and in a new one vitality.v2"
        + " with thresholds v2 or one of v3, else vitality.v1"),
    read: { ThresholdsChoice($0) })

  let mode = Setting(
    SettingKey(
      "shadow_mode", default: "true", allowed: "false for live, anything else for shadow",
      "whether vigil run only records what it would send", kind: .boolean),
    read: { $0 == "false" ? RunRecord.Mode.live : .shadow })

  let timeZone = Setting(
    SettingKey(
      "time_zone", default: "UTC", allowed: "an IANA name such as Europe/Berlin",
      "whose yesterday a run evaluates"),
    read: { NamedZone($0, of: $1) })

  /// A fraction from 0 to 1.
  let maxBadRows = Setting(
    SettingKey(
      "max_bad_rows", default: "1%", allowed: "0% to 100%, or a fraction from 0 to 1",
      "the share of unusable rows that an import or a run accepts", kind: .number),
    read: { Double(settingFraction: $0) })

  let maxNotifiedPersons = Setting(
    SettingKey(
      "max_notified_persons", default: "5%", allowed: "a number, or a percentage of the persons",
      "persons about whom a live run notifies without asking",
      note: "20 are always allowed where it is a percentage", kind: .number),
    read: { NotificationRateLimit(setting: $0) })

  let metricsFile = Setting(
    SettingKey(
      "metrics_file", default: "none", allowed: "a file, or none",
      "where runs leave their figures for Prometheus"),
    read: { MetricsFilePath($0) })

  let providers = Setting(
    SettingKey(
      "providers", default: "none", allowed: "a JSON file, or none",
      "how vigil dispatch delivers each channel"),
    read: { ProvidersPath($0) })

  let erasureKeyFile = Setting(
    SettingKey(
      "erasure_key_file", default: "none", allowed: "a file of at least 16 bytes, or none",
      "the key under which erased persons are remembered"),
    read: { ErasureKeyPath($0) })

  let retention = Setting(
    SettingKey(
      "retention",
      default: "metrics 3y, doses 3y, queues 90d, runs 1y, messages 1y, calls 1y, prompts 1y",
      allowed:
        "none, or subjects (\(RetentionSubject.allCases.map(\.rawValue).joined(separator: ", "))) each with an age in d, w or y",
      "how long vigil retain keeps rows", note: "a subject that is not named is kept for ever"),
    read: { RetentionRules($0) })

  let retentionArchive = Setting(
    SettingKey(
      "retention_archive", default: "none", allowed: "a folder, or none",
      "where vigil retain writes its archives"),
    read: { ArchiveFolder($0) })

  let format = Setting(
    SettingKey(
      "format", default: "text", allowed: "text, json, csv, jsonl or fhir",
      "how results are written",
      note: "csv is for lists and export, jsonl for export, fhir for export alerts"),
    read: { OutputFormat(rawValue: $0) })

  let logLevel = Setting(
    SettingKey(
      "log_level", default: "notice",
      allowed: "trace, debug, info, notice, warning, error or critical",
      "the least important log lines to write"),
    read: { Logger.Level(rawValue: $0) })

  let logFormat = Setting(
    SettingKey(
      "log_format", default: "text", allowed: "text or json",
      "how log lines and failures are written", note: "json is an object a line"),
    read: { LogForm(rawValue: $0) })

  let monitorURL = Setting(
    SettingKey(
      "monitor_url", default: "none", allowed: "an http or https URL, or none",
      "the address that hears when a run or a sender begins, ends and fails",
      note: "behind it comes /start, nothing or /fail", isSecret: true),
    read: { MonitorURL($0) })

  let color = Setting(
    SettingKey(
      "color", default: "auto", allowed: "auto, always or never",
      "whether severities are coloured", note: "NO_COLOR means never"),
    read: { ColorChoice(rawValue: $0) })

  let isQuiet = Setting(
    SettingKey(
      "quiet", default: "false", allowed: "true or false",
      "no progress, and only errors on stderr", kind: .boolean),
    read: { Bool($0) })

  static let standard = SettingDeclarations()

  /// In the order of the declarations.
  static let all: [any AnySetting] = Mirror(reflecting: standard).children
    .compactMap { $0.value as? any AnySetting }

  static var keys: [SettingKey] { all.map(\.key) }
}
