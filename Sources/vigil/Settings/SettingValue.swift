/// A setting's value as text, and where it came from.
struct SettingValue: Hashable, Sendable {
  var text: String
  var source: Source

  enum Source: Hashable, Sendable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    case file(String)
    case standard

    var description: String {
      switch self {
      case .flag(let name): name
      case .environment(let name): "environment \(name)"
      case .file(let path): path
      case .standard: "default"
      }
    }
  }
}

extension [SettingKey: SettingValue] {
  /// Flags win over the environment, that over the config file, that over the defaults.
  ///
  /// An environment variable that is empty counts as not set.
  static func resolved(
    flags: Self, environment: [String: String], file: Self
  ) -> Self {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let color = SettingDeclarations.standard.color.key
    var values: Self = [:]
    for key in SettingDeclarations.keys {
      values[key] =
        if let value = flags[key] {
          value
        } else if let text = variable(key.environment) {
          SettingValue(text: text, source: .environment(key.environment))
        } else if key == color, variable("NO_COLOR") != nil {
          // https://no-color.org: present and not empty, whatever its value.
          SettingValue(text: "never", source: .environment("NO_COLOR"))
        } else {
          file[key] ?? SettingValue(text: key.defaultText, source: .standard)
        }
    }
    return values
  }
}

extension [SettingKey: SettingValue] {
  /// A setting given by its option, or nothing where it was not given.
  ///
  /// - Parameter option: The name of the option where it is not that of the setting.
  static func option<Read>(
    _ setting: KeyPath<SettingDeclarations, Setting<Read>>, _ text: String?,
    by option: String? = nil
  ) -> Self {
    let key = SettingDeclarations.standard[keyPath: setting].key
    return text.map { [key: SettingValue(text: $0, source: .flag(option ?? key.option))] } ?? [:]
  }

  func with(_ others: Self) -> Self { merging(others) { $1 } }
}
