import VigilModel

/// The output of `vigil config`: each setting with its value and its source.
public struct ConfigReport: Sendable {
  public struct Entry: Sendable {
    public var name: String
    /// Without any password.
    public var value: String
    /// For example `default`, `--database` or `environment VIGIL_DATABASE`.
    public var source: String
    public var explanation: String

    public init(name: String, value: String, source: String, explanation: String) {
      self.name = name
      self.value = value
      self.source = source
      self.explanation = explanation
    }
  }

  public let entries: [Entry]

  public init(entries: [Entry]) {
    self.entries = entries
  }
}

extension ConfigReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Setting"), .init("Value"), .init("From"), .init("Meaning"),
    ])
    table.rows = entries.map {
      [.init($0.name), .init($0.value), .init($0.source), .init($0.explanation)]
    }
    return table.render(style)
  }

  public func encode(to encoder: any Encoder) throws {
    let rows = entries.map { entry -> JSONFields in
      ["name": entry.name, "value": entry.value, "source": entry.source]
    }
    let fields: JSONFields = ["settings": rows]
    try fields.encode(to: encoder)
  }
}
