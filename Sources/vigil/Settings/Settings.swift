import VigilModel
import VigilReport

/// The settings of one command.
///
/// ```swift
/// let settings = try Settings(values, zones: zones)
/// settings.maxBadRows  // 0.01
/// ```
@dynamicMemberLookup
struct Settings: Sendable {
  private let values: [SettingKey: any Sendable]

  /// - Throws: `SettingsError` with every value that is not allowed.
  init(_ given: [SettingKey: SettingValue], zones: ZoneCatalog) throws {
    var values: [SettingKey: any Sendable] = [:]
    var problems: [String] = []
    for setting in SettingDeclarations.all {
      let key = setting.key
      let given = given[key] ?? SettingValue(text: key.defaultText, source: .standard)
      if let value = setting.value(of: given.text, zones: zones) {
        values[key] = value
      } else {
        problems.append(
          "\(key.name) (\(given.source)): '\(key.shown(given.text))'"
            + " is not allowed; use \(key.allowed)")
      }
    }
    guard problems.isEmpty else { throw SettingsError(problems) }
    self.values = values
  }

  subscript<Value>(dynamicMember setting: KeyPath<SettingDeclarations, Setting<Value>>) -> Value {
    guard
      let value = values[SettingDeclarations.standard[keyPath: setting].key] as? Value
    else { preconditionFailure("settings have a value of every declared setting") }
    return value
  }
}

extension ConfigReport {
  /// The settings as `vigil config` prints them.
  init(_ values: [SettingKey: SettingValue]) {
    self.init(
      entries: SettingDeclarations.keys.compactMap { key in
        values[key].map { value in
          Entry(
            name: key.name, value: key.shown(value.text),
            source: value.source.description, explanation: key.explanation)
        }
      })
  }
}
