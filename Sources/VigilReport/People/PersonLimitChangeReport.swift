public import Foundation
public import VigilModel

/// The output of `vigil person limits set` and `end`: one limit, and the step taken.
public struct PersonLimitChangeReport: Sendable {
  private let limit: PersonLimit
  private let person: UUID
  private let step: Step
  private let isDryRun: Bool
  private let note: String?
  /// Other limits of the same metric and side that hold on days of this one.
  private let beside: [PersonLimit]
  private let externalIDs: [UUID: String]
  private let database: String

  public enum Step: String, Sendable, Hashable {
    case set
    /// Its last day was set.
    case ended
    /// As if it had never been set.
    case removed
  }

  /// - Parameters:
  ///   - limit: The limit as it is then, or was.
  ///   - person: The person.
  ///   - step: The step.
  ///   - isDryRun: Whether nothing was changed.
  ///   - note: Why it was set.
  ///   - others: The other limits of the person.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - database: The name of the database in messages.
  public init(
    _ limit: PersonLimit, of person: UUID, _ step: Step, isDryRun: Bool, note: String? = nil,
    others: [PersonLimit], externalIDs: [UUID: String], database: String
  ) {
    self.limit = limit
    self.person = person
    self.step = step
    self.isDryRun = isDryRun
    self.note = note
    beside = others.filter {
      $0.isBeside(limit) && !$0.hasKey(of: limit) && $0.days.overlaps(limit.days)
    }
    self.externalIDs = externalIDs
    self.database = database
  }
}

extension PersonLimitChangeReport: Report {
  public func text(style: TextStyle) -> String {
    let name = PersonText.short(person, externalIDs)
    let text =
      switch (step, isDryRun) {
      case (.set, false): "Set for \(name):"
      case (.set, true): "Nothing was changed. Would set for \(name):"
      case (.ended, false): "Ended for \(name):"
      case (.ended, true): "Nothing was changed. Would end for \(name):"
      case (.removed, false): "Removed for \(name), as if it had never been set:"
      case (.removed, true): "Nothing was changed. Would remove for \(name):"
      }
    var pairs = [
      ("Limit", limit.limit.words),
      ("Days", "\(limit.days.lowerBound) to \(limit.days.upperBound)"),
      ("Set by", limit.setBy.terminalSafe),
    ]
    if let note { pairs.append(("Note", note.terminalSafe)) }
    pairs += beside.map {
      ("Beside", "\($0.limit.rule), \($0.days.lowerBound) to \($0.days.upperBound)")
    }
    return "\(text)\n" + TextTable(pairs: pairs).render(style)
      + (isDryRun ? "Next: the same command with --yes.\n" : next)
  }

  private var next: String {
    switch step {
    case .set:
      "The next night counts it from \(limit.days.lowerBound) on; vigil explain --limit"
        + " \(limit.limit.direction.rawValue) shows what it decides.\n"
    case .ended: "\(limit.days.upperBound) is the last day whose value counts.\n"
    case .removed: "The next night takes back its alerts of the last days.\n"
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "person": person,
      "step": step.rawValue,
      "dry_run": isDryRun,
      "limit": limit.fields + ["note": note],
      "beside": beside.map(\.fields),
    ]
    try fields.encode(to: encoder)
  }
}
