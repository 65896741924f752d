import VigilModel
public import VigilStorage

/// The output of `vigil doctor`.
public struct FindingsReport: Sendable {
  public let findings: [Finding]

  public init(findings: [Finding]) {
    self.findings = findings
  }

  public var hasFailure: Bool { findings.contains { $0.status == .failure } }
}

extension FindingsReport: Report {
  public func text(style: TextStyle) -> String {
    var table = TextTable([.init("Status"), .init("Check"), .init("Finding")])
    table.showsTitles = false
    for finding in findings {
      table.rows.append([
        .init(finding.status.rawValue, finding.status.emphasis), .init(finding.check),
        .init(finding.detail),
      ])
      if let remedy = finding.remedy {
        table.rows.append(["", "", .init("→ \(remedy.wording)")])
      }
    }
    return table.render(style) + "\n" + conclusion + "\n"
  }

  private var conclusion: String {
    let failures = findings.count { $0.status == .failure }
    let warnings = findings.count { $0.status == .warning }
    if failures == 0, warnings == 0 { return "All is well." }
    var parts: [String] = []
    if failures > 0 { parts.append(NumberText.count(failures, "failure")) }
    if warnings > 0 { parts.append(NumberText.count(warnings, "warning")) }
    return parts.joined(separator: ", ") + "."
  }

  public func encode(to encoder: any Encoder) throws {
    let worst: Finding.Status =
      if hasFailure {
        .failure
      } else if findings.contains(where: { $0.status == .warning }) {
        .warning
      } else {
        .ok
      }
    let fields: JSONFields = ["findings": findings.map(\.fields), "status": worst.rawValue]
    try fields.encode(to: encoder)
  }
}

extension Finding {
  /// The finding as JSON, with its remedy in words.
  var fields: JSONFields {
    ["check": check, "status": status.rawValue, "detail": detail, "remedy": remedy?.wording]
  }
}

extension Finding.Status {
  fileprivate var emphasis: Emphasis? {
    switch self {
    case .ok: nil
    case .warning: .medium
    case .failure: .high
    }
  }
}
