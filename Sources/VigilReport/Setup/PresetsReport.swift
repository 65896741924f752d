import VigilModel

/// The output of `vigil import presets`.
public struct PresetsReport: Sendable {
  /// A preset for the files of one device or service.
  public struct Preset: Sendable {
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

  public func encode(to encoder: any Encoder) throws {
    let rows = presets.map { preset -> JSONFields in
      ["name": preset.name, "about": preset.about, "documentation": preset.documentation]
    }
    let fields: JSONFields = ["presets": rows]
    try fields.encode(to: encoder)
  }
}
