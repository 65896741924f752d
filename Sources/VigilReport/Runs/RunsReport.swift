public import Foundation
import VigilModel
public import VigilStorage

/// The output of `vigil runs`: recorded runs, as a rule the newest first.
public struct RunsReport: Sendable {
  public let runs: [RunRecord]
  /// The runs whose processes hold the run lock; nil where that is not known.
  let atWork: Set<UUID>?

  /// - Parameters:
  ///   - runs: The runs, the newest first.
  ///   - order: The order in which they are shown.
  ///   - limit: The number of runs to show; nil for all.
  ///   - atWork: The runs whose processes hold the run lock; nil where that is not known.
  public init(
    runs: [RunRecord], order: RunOrder = .newest, limit: Int? = nil, atWork: Set<UUID>?
  ) {
    let sorted = order.sorted(runs)
    self.runs = Array(sorted.prefix(limit ?? sorted.count))
    self.atWork = atWork
  }
}

extension RunsReport: ListReport {
  public func csv() -> String { RowEncoder(ExportColumns.runs, as: .csv).text(of: runs) }

  public func text(style: TextStyle) -> String {
    guard !runs.isEmpty else {
      return "No run is recorded yet. Next: vigil run, or vigil backfill for history.\n"
    }
    var table = TextTable([
      .init("Run"), .init("Kind", rank: 3), .init("Days"), .init("Mode", rank: 2), .init("Status"),
      .init("Started"), .init("Took", .right, rank: 5), .init("Persons", .right, rank: 4),
      .init("Opened", .right, rank: 6), .init("Escalated", .right, rank: 8),
      .init("Resolved", .right, rank: 7), .init("Notifications", .right, rank: 1),
    ])
    table.rows = runs.map { run in
      [
        .init(run.id.shortened),
        .init(run.partsText.map { "\(run.kind.rawValue), only \($0)" } ?? run.kind.rawValue),
        .init(run.daysText),
        .init(run.mode.rawValue),
        .init(
          run.statusText(atWork: atWork),
          run.isAbandoned(atWork: atWork) ? .high : run.status.emphasis),
        .init(run.startedAt.minuteText),
        .init(run.seconds.map(NumberText.duration) ?? "–"),
        .init(NumberText.count(run.counts.persons)),
        .init(NumberText.count(run.counts.episodesOpened)),
        .init(NumberText.count(run.counts.episodesEscalated)),
        .init(NumberText.count(run.counts.episodesResolved)),
        .init(
          NumberText.count(run.counts.notificationsEnqueued)
            + (run.counts.notificationsHeld > 0
              ? " (\(NumberText.count(run.counts.notificationsHeld)) held)" : "")),
      ]
    }
    return table.render(style) + "\nvigil runs show ID shows all about one.\n"
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = ["runs": runs.map { $0.fields(atWork: atWork) }]
    try fields.encode(to: encoder)
  }
}
