import VigilModel

/// The output of `vigil import presets`.
public struct PresetsReport: Sendable {
  /// A preset for the files of one device or service.
  public struct Preset: Sendable, Encodable {
    public var name: String
    /// The files that it is for.
    public var about: String
    /// The address of a public description of the files.
    public var documentation: String?

    public init(name: String, about: String, documentation: String?) {
      self.name = name
      self.about = about
      self.documentation = documentation
    }
  }

  public var presets: [Preset]

  public init(presets: [Preset]) {
    self.presets = presets
  }
}

extension PresetsReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([.init("Preset"), .init("Files")])
    table.rows = presets.map { [.init($0.name), .init($0.about.terminalSafe)] }
    return table.render(style)
      + "\nvigil import csv FILE --preset NAME, or a JSON file in its place.\n"
  }

  private struct Document: Encodable {
    var presets: [Preset]
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(presets: presets).encode(to: encoder)
  }
}
