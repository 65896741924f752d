import VigilModel

/// A setting, declared once: its name, its type, its default, its help and what it may be.
///
/// From the name follow the key in a config file, the variable of the environment and the option.
struct Setting<Value: Sendable>: Sendable {
  let key: SettingKey
  /// Nil for a text that is not allowed.
  let read: @Sendable (String, ZoneCatalog) -> Value?

  init(
    _ key: SettingKey, read: @escaping @Sendable (String, ZoneCatalog) -> Value?
  ) {
    self.key = key
    self.read = read
  }

  init(_ key: SettingKey, read: @escaping @Sendable (String) -> Value?) {
    self.init(key) { text, _ in read(text) }
  }
}

/// A setting of any type.
protocol AnySetting: Sendable {
  var key: SettingKey { get }
  /// Nil for a text that is not allowed.
  func value(of text: String, zones: ZoneCatalog) -> (any Sendable)?
}

extension Setting: AnySetting {
  func value(of text: String, zones: ZoneCatalog) -> (any Sendable)? { read(text, zones) }
}

/// Everything about a setting but its type.
struct SettingKey: Hashable, Sendable {
  /// The key in a config file.
  let name: String
  let defaultText: String
  /// The values that are allowed, for help and for the message about another one.
  let allowed: String
  /// A phrase without a capital and a full stop.
  let purpose: String
  let note: String?
  let kind: Kind
  /// Whether no one may read its value, which is named only where it is that of the default.
  let isSecret: Bool

  /// The form of a value in a config file; text is always possible.
  enum Kind: Sendable {
    case text
    case number
    case boolean
  }

  init(
    _ name: String, default defaultText: String, allowed: String, _ purpose: String,
    note: String? = nil, kind: Kind = .text, isSecret: Bool = false
  ) {
    self.name = name
    self.defaultText = defaultText
    self.allowed = allowed
    self.purpose = purpose
    self.note = note
    self.kind = kind
    self.isSecret = isSecret
  }

  /// A value of it as messages may show it.
  func shown(_ text: String) -> String {
    isSecret && text != defaultText ? "***" : ConnectionSecrets.hidden(inValue: text)
  }

  static func == (one: SettingKey, other: SettingKey) -> Bool { one.name == other.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// `VIGIL_TIME_ZONE` of `time_zone`.
  var environment: String { "VIGIL_" + name.uppercased() }

  /// `--time-zone` of `time_zone`.
  var option: String { "--" + name.replacing("_", with: "-") }

  var explanation: String { note.map { "\(purpose); \($0)" } ?? purpose }

  /// The help of its option.
  var help: String {
    "\(purpose.prefix(1).uppercased())\(purpose.dropFirst()): \(allowed) (default: \(defaultText))"
      + (note.map { "; \($0)" } ?? "") + "."
  }
}
