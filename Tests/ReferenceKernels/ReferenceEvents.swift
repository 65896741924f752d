/// The events of one person and profile: a slow twin, written from evidence-person.md section 6.
public enum ReferenceEvents {
  /// A stored row, as far as events depend on it.
  public struct Row: Equatable {
    /// `combined` or the name of a metric.
    public var metric: String
    public var activeSince: Int
    public var openedOn: Int
    /// Nil while active.
    public var resolvedOn: Int?
    /// The contributing metrics of a combined row; empty for the row of a metric.
    public var contributing: [String]

    public init(
      metric: String, activeSince: Int, openedOn: Int, resolvedOn: Int?, contributing: [String] = []
    ) {
      self.metric = metric
      self.activeSince = activeSince
      self.openedOn = openedOn
      self.resolvedOn = resolvedOn
      self.contributing = contributing
    }

    /// The metrics that the row concerns or names.
    var named: Set<String> { metric == "combined" ? Set(contributing) : [metric] }
  }

  /// One row and its place in an event.
  public struct Member: Equatable {
    public var row: Row
    /// Counted from 1 in the order of openings.
    public var event: Int
    /// `starts`, `joins` or `joins_with_notice`.
    public var opening: String
  }

  /// Returns the rows in the order of their openings, each with its event.
  public static func members(_ rows: [Row]) -> [Member] {
    let ordered = rows.sorted { a, b in
      if a.openedOn != b.openedOn { return a.openedOn < b.openedOn }
      if (a.metric == "combined") != (b.metric == "combined") { return a.metric == "combined" }
      return a.metric < b.metric
    }
    var members: [Member] = []
    for row in ordered {
      let earlier = members.filter { known in
        let end = known.row.resolvedOn ?? max(row.openedOn, known.row.openedOn)
        return !Set(known.row.activeSince...end).isDisjoint(with: row.activeSince...row.openedOn)
      }
      if let first = earlier.first {
        let isNew =
          row.metric == "combined"
          && earlier.allSatisfy { $0.row.named.isDisjoint(with: row.named) }
        members.append(
          Member(row: row, event: first.event, opening: isNew ? "joins_with_notice" : "joins"))
      } else {
        let event = (members.map(\.event).max() ?? 0) + 1
        members.append(Member(row: row, event: event, opening: "starts"))
      }
    }
    return members
  }
}
