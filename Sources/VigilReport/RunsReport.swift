import VigilModel
public import VigilStorage

/// What `vigil runs` shows: recorded runs, the newest first.
public struct RunsReport: Sendable {
  public let runs: [RunRecord]

  public init(runs: [RunRecord]) {
    self.runs = runs
  }
}

extension RunsReport: Report {
  public func text(style: TextStyle) -> String {
    guard !runs.isEmpty else {
      return "No run is recorded yet. Next: vigil run, or vigil backfill for history.\n"
    }
    var table = TextTable([
      .init("Run"), .init("Kind"), .init("Days"), .init("Mode"), .init("Status"), .init("Started"),
      .init("Took", .right), .init("Persons", .right), .init("Opened", .right),
      .init("Escalated", .right), .init("Resolved", .right), .init("Notifications", .right),
    ])
    table.rows = runs.map { run in
      [
        .init(run.id.shortened),
        .init(run.partsText.map { "\(run.kind.rawValue), only \($0)" } ?? run.kind.rawValue),
        .init(run.daysText),
        .init(run.mode.rawValue),
        .init(run.status.rawValue, run.status.emphasis),
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
    return table.render(style) + "\nvigil runs show ID tells all about one.\n"
  }

  private struct Document: Encodable {
    var runs: [RunDocument]
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(runs: runs.map(RunDocument.init)).encode(to: encoder)
  }
}
