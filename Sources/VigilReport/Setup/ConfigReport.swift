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

  private struct Document: Encodable {
    var settings: [Row]

    struct Row: Encodable {
      var name: String
      var value: String
      var source: String
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let rows = entries.map { Document.Row(name: $0.name, value: $0.value, source: $0.source) }
    try Document(settings: rows).encode(to: encoder)
  }
}
