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

extension [Setting: SettingValue] {
  /// Flags win over the environment, that over the config file, that over the defaults.
  ///
  /// An environment variable that is empty counts as not set.
  static func resolved(
    flags: [Setting: SettingValue], environment: [String: String], file: [Setting: SettingValue]
  ) -> [Setting: SettingValue] {
    func variable(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    var values: [Setting: SettingValue] = [:]
    for setting in Setting.allCases {
      let definition = setting.definition
      values[setting] =
        if let value = flags[setting] {
          value
        } else if let text = variable(definition.environment) {
          SettingValue(text: text, source: .environment(definition.environment))
        } else if setting == .color, variable("NO_COLOR") != nil {
          // https://no-color.org: present and not empty, whatever its value.
          SettingValue(text: "never", source: .environment("NO_COLOR"))
        } else {
          file[setting] ?? SettingValue(text: definition.defaultText, source: .standard)
        }
    }
    return values
  }
}
