import Foundation
import Logging
import ShippedThresholds
import VigilModel
import VigilReport
import VigilStorage

/// The settings of one command.
struct Settings: Sendable {
  var database: DatabaseLocation
  /// Of a PostgreSQL database; SQLite has none.
  var schema: String
  var databaseRetry: Duration
  var thresholds: ThresholdsChoice
  var vitality: ThresholdsChoice
  var mode: RunRecord.Mode
  /// A fault where the system lacks the zone's rules: most commands do not need them.
  var timeZone: Result<ZoneRules, ZoneFault>
  var timeZoneName: String
  /// A fraction from 0 to 1.
  var maxBadRows: Double
  var notificationRateLimit: NotificationRateLimit
  /// A path; nil where runs leave no metrics file.
  var metricsFile: String?
  var format: OutputFormat
  var logLevel: Logger.Level
  var color: ColorChoice
  var isQuiet: Bool

  /// - Throws: `SettingsError` with every value that is not allowed.
  init(_ values: [Setting: SettingValue], zones: ZoneCatalog) throws {
    var problems: [String] = []
    func parse<Value>(_ setting: Setting, _ read: (String) -> Value?) -> Value? {
      let definition = setting.definition
      let given = values[setting] ?? .init(text: definition.defaultText, source: .standard)
      if let value = read(given.text) { return value }
      problems.append(
        "\(setting.rawValue) (\(given.source)): '\(DatabaseLocation.redacted(given.text))'"
          + " is not allowed; use \(definition.allowed)")
      return nil
    }
    let database = parse(.database, DatabaseLocation.init)
    let schema = parse(.schema) { $0.isEmpty || $0.utf8.count > 63 ? nil : $0 }
    let databaseRetry = parse(.databaseRetry, Self.seconds)
    let thresholds = parse(.thresholds, ThresholdsChoice.init)
    let vitality = parse(.vitality, ThresholdsChoice.init)
    let mode = parse(.shadowMode) { $0 == "false" ? RunRecord.Mode.live : .shadow }
    let timeZone = parse(.timeZone) { name in
      zones.result(of: name).map { (name: name, rules: $0) }
    }
    let maxBadRows = parse(.maxBadRows, Self.fraction)
    let notificationRateLimit = parse(.maxNotifications, Self.rateLimit)
    let metricsFile = parse(.metricsFile) { $0.isEmpty || $0.contains("\0") ? nil : $0 }
    let format = parse(.format, OutputFormat.init(rawValue:))
    let logLevel = parse(.logLevel, Logger.Level.init(rawValue:))
    let color = parse(.color, ColorChoice.init(rawValue:))
    let isQuiet = parse(.quiet) { Bool($0) }
    guard let database, let schema, let databaseRetry, let thresholds, let vitality, let mode,
      let timeZone,
      let maxBadRows, let notificationRateLimit, let metricsFile, let format, let logLevel,
      let color, let isQuiet
    else { throw SettingsError(problems) }
    self.database = database
    self.schema = schema
    self.databaseRetry = databaseRetry
    self.thresholds = thresholds
    self.vitality = vitality
    self.mode = mode
    self.timeZone = timeZone.rules
    timeZoneName = timeZone.name
    self.maxBadRows = maxBadRows
    self.notificationRateLimit = notificationRateLimit
    self.metricsFile = metricsFile == "none" ? nil : metricsFile
    self.format = format
    self.logLevel = logLevel
    self.color = color
    self.isQuiet = isQuiet
  }

  private static func seconds(_ text: String) -> Duration? {
    guard let seconds = Double(text), (0...86_400).contains(seconds) else { return nil }
    return .seconds(seconds)
  }

  /// Reads `250` or `5%`.
  private static func rateLimit(_ text: String) -> NotificationRateLimit? {
    if text.hasSuffix("%") { return fraction(text).map { .share($0) } }
    guard let count = Int(text), count >= 0 else { return nil }
    return .count(count)
  }

  /// Reads `1%`, `0.5 %` or `0.01`.
  private static func fraction(_ text: String) -> Double? {
    let isPercent = text.hasSuffix("%")
    let number = isPercent ? text.dropLast().trimmingCharacters(in: .whitespaces) : text
    guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let value = Double(number)
    else { return nil }
    let fraction = isPercent ? value / 100 : value
    return (0...1).contains(fraction) ? fraction : nil
  }
}

extension ZoneCatalog {
  /// The rules of a zone, or the reason why the system lacks them; nil for a name that is no
  /// zone's.
  fileprivate func result(of name: String) -> Result<ZoneRules, ZoneFault>? {
    if let rules = rules(of: name) { return .success(rules) }
    do throws(ZoneFault) {
      try requireNoFault()
      return nil
    } catch {
      return .failure(error)
    }
  }
}

enum OutputFormat: String, CaseIterable, Sendable {
  case text
  case json
}

enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

/// Which thresholds file, or which vitality file, a run uses.
enum ThresholdsSource: Hashable, Sendable, CustomStringConvertible {
  /// Built into the executable.
  case shipped(String)
  case file(path: String)

  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    let shipped = ShippedThresholds.names + ShippedThresholds.vitalityNames
    self = shipped.contains(text) ? .shipped(text) : .file(path: text)
  }

  /// The vitality file that goes with a thresholds file.
  static func vitality(with thresholds: ThresholdsSource) -> ThresholdsSource {
    .shipped(thresholds == .shipped("v2") ? "vitality.v2" : "vitality.v1")
  }

  var description: String {
    switch self {
    case .shipped(let name): "\(name) as shipped"
    case .file(let path): path
    }
  }
}

extension ConfigReport {
  /// The settings as `vigil config` prints them.
  init(_ values: [Setting: SettingValue]) {
    self.init(
      entries: Setting.allCases.compactMap { setting in
        values[setting].map { value in
          Entry(
            name: setting.rawValue, value: DatabaseLocation.redacted(value.text),
            source: value.source.description, explanation: setting.definition.explanation)
        }
      })
  }
}
