public import VigilModel

/// The output of `vigil thresholds check` about a vitality file without a fault.
public struct VitalityReport: Sendable {
  public struct SubMetric: Sendable {
    public var pillar: Pillar
    public var name: String
    /// Its share of the pillar.
    public var weight: Double
    public var direction: String

    public init(pillar: Pillar, name: String, weight: Double, direction: String) {
      self.pillar = pillar
      self.name = name
      self.weight = weight
      self.direction = direction
    }
  }

  public var file: String
  public var version: String
  public var digest: String
  public var ageGroups: [String]
  public var subMetrics: [SubMetric]
  /// Whether insights can come from a slope.
  public var hasSlope: Bool

  public init(
    file: String, version: String, digest: String, ageGroups: [String], subMetrics: [SubMetric],
    hasSlope: Bool
  ) {
    self.file = file
    self.version = version
    self.digest = digest
    self.ageGroups = ageGroups
    self.subMetrics = subMetrics
    self.hasSlope = hasSlope
  }
}

extension VitalityReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([
      .init("Pillar"), .init("Sub-metric"), .init("Weight", .right), .init("Good values"),
    ])
    table.rows = subMetrics.map {
      [
        .init($0.pillar.rawValue), .init($0.name), .init(String($0.weight)),
        .init($0.direction.replacing("_", with: " ")),
      ]
    }
    return """
      \(file.terminalSafe) is valid: version \(version.terminalSafe), SHA-256 \(digest)
      Age groups: \(ageGroups.joined(separator: ", ").terminalSafe). Slopes make insights: \(hasSlope ? "yes" : "no").


      """ + table.render(style)
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "file": file,
      "version": version,
      "digest": digest,
      "age_groups": ageGroups,
      "sub_metrics": subMetrics.map { part -> JSONFields in
        [
          "pillar": part.pillar.rawValue, "name": part.name, "weight": part.weight,
          "direction": part.direction,
        ]
      },
      "has_slope": hasSlope,
    ]
    try fields.encode(to: encoder)
  }
}
