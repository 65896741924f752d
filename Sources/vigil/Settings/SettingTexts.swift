import Foundation
import VigilModel
import VigilStorage

// Values of settings as their texts are read.

extension Duration {
  /// Reads seconds, up to a day.
  init?(settingSeconds text: String) {
    guard let seconds = Double(text), (0...86_400).contains(seconds) else { return nil }
    self = .seconds(seconds)
  }
}

extension Double {
  /// Reads `1%`, `0.5 %` or `0.01`.
  init?(settingFraction text: String) {
    let isPercent = text.hasSuffix("%")
    let number = isPercent ? text.dropLast().trimmingCharacters(in: .whitespaces) : text
    guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let value = Double(number)
    else { return nil }
    let fraction = isPercent ? value / 100 : value
    guard (0...1).contains(fraction) else { return nil }
    self = fraction
  }
}

extension NotificationRateLimit {
  /// Reads `250` or `5%`.
  init?(setting text: String) {
    if text.hasSuffix("%") {
      guard let share = Double(settingFraction: text) else { return nil }
      self = .share(share)
    } else {
      guard let count = Int(text), count >= 0 else { return nil }
      self = .count(count)
    }
  }
}

/// The file that runs leave their figures in.
struct MetricsFilePath: Hashable, Sendable {
  /// Nil where runs leave none.
  let path: String?

  init?(_ text: String) {
    guard !text.isEmpty, !text.contains("\0") else { return nil }
    path = text == "none" ? nil : text
  }
}

/// The file that says how channels are delivered.
struct ProvidersPath: Hashable, Sendable {
  /// Nil where none is named.
  let path: String?

  init?(_ text: String) {
    guard !text.isEmpty, !text.contains("\0") else { return nil }
    path = text == "none" ? nil : text
  }
}

/// The file with the key of the list of erased persons.
struct ErasureKeyPath: Hashable, Sendable {
  /// Nil where none is named.
  let path: String?

  init?(_ text: String) {
    guard !text.isEmpty, !text.contains("\0") else { return nil }
    path = text == "none" ? nil : text
  }
}

/// A time zone by its name.
struct NamedZone: Sendable {
  let name: String
  /// A fault where the system lacks its rules: most commands need none.
  let rules: Result<ZoneRules, ZoneFault>

  /// Nil for a name that is no zone's.
  init?(_ name: String, of zones: ZoneCatalog) {
    self.name = name
    if let rules = zones.rules(of: name) {
      self.rules = .success(rules)
      return
    }
    do throws(ZoneFault) {
      try zones.requireNoFault()
      return nil
    } catch {
      rules = .failure(error)
    }
  }
}

enum OutputFormat: String, CaseIterable, Sendable {
  case text
  case json
  /// Of lists and exports.
  case csv
  /// Of exports.
  case jsonl
  /// Of the export of alerts.
  case fhir
}

enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}
