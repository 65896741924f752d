public import VigilModel
public import VigilStorage

/// The figures of a run and its heartbeat, for the textfile collector of Prometheus' node_exporter.
///
/// Every series carries the kind of its command, and a command replaces only those of its own kind:
/// a backfill leaves the heartbeat of the nightly run unchanged, also in a file that both write.
/// It holds no data of a person: no id, no value, and no label that grows with the data.
public struct RunMetrics: Sendable {
  public let kind: RunRecord.Kind
  /// The time at which the command ended.
  public let endedAt: Timestamp
  /// The exit status of the process; only 0 is a success.
  public let exitStatus: Int32
  /// The run as the database has recorded it.
  ///
  /// Nil for a run that never began, and where the database no longer answers. The file then has no
  /// figures, rather than those of another run.
  public let run: RunRecord?
  /// The present contents of the file.
  public let earlier: EarlierRunMetrics

  public init(
    kind: RunRecord.Kind, endedAt: Timestamp, exitStatus: Int32, run: RunRecord?,
    earlier: EarlierRunMetrics
  ) {
    self.kind = kind
    self.endedAt = endedAt
    self.exitStatus = exitStatus
    self.run = run
    self.earlier = earlier
  }

  static let lastSuccessName = "vigil_last_success_timestamp_seconds"

  /// The whole file, which ends with a line break.
  public var text: String {
    families.flatMap { family in
      let others = earlier.lines(of: family.name, except: kind)
      let lines = kind == .run ? family.lines + others : others + family.lines
      return lines.isEmpty ? [] : family.header + lines
    }.map { $0 + "\n" }.joined()
  }

  private var families: [MetricFamily] { commandFamilies + runFamilies + countFamilies }

  /// The families that do not depend on how the command ended.
  private var commandFamilies: [MetricFamily] {
    // A shard that succeeded is no success of the run while another shard has failed.
    let isSuccess = exitStatus == 0 && ![.failed, .interrupted, .held].contains(status)
    let lastSuccess = isSuccess ? endedAt : earlier.lastSuccess(of: kind)
    return [
      family(
        Self.lastSuccessName, "When a command of this kind last ended with status 0; 0 if unknown.",
        .time(lastSuccess ?? Timestamp(microseconds: 0))),
      family(
        "vigil_last_attempt_timestamp_seconds", "When a command of this kind last ended.",
        .time(endedAt)),
      family(
        "vigil_run_exit_status", "Exit status of the last command; vigil --help lists them.",
        .number(Int(exitStatus))),
      MetricFamily(
        name: "vigil_run_status", help: "1 for how the last command ended, 0 for the others.",
        samples: [RunRecord.Status.succeeded, .failed, .interrupted, .held].map { status in
          .init(
            labels: ["kind": kind.rawValue, "status": status.rawValue],
            value: .number(status == self.status ? 1 : 0))
        }),
    ]
  }

  private var status: RunRecord.Status {
    // The process knows its status better than a record that it could not close.
    if let run, run.status != .running { return run.status }
    switch exitStatus {
    case 0: return .succeeded
    case 128...: return .interrupted
    default: return .failed
    }
  }

  private var runFamilies: [MetricFamily] {
    [
      MetricFamily(
        name: "vigil_run_info", help: "Always 1; what the last run was, as labels.",
        samples: run.map { run in
          [
            .init(
              labels: [
                "kind": kind.rawValue, "mode": run.mode.rawValue,
                "thresholds": run.thresholds.version, "version": run.engineVersion,
              ], value: .number(1))
          ]
        } ?? []),
      family(
        "vigil_run_start_timestamp_seconds", "When the last run started.",
        (run?.startedAt).map { .time($0) }),
      family(
        "vigil_run_finish_timestamp_seconds", "When the last run finished.",
        (run?.finishedAt).map { .time($0) }),
      family(
        "vigil_run_duration_seconds", "How long the last run took.",
        run.flatMap { run in
          run.finishedAt.map { finish in
            // A clock that is set back must not lead to a negative duration.
            .seconds(microseconds: max(0, finish.microseconds - run.startedAt.microseconds))
          }
        }),
      family(
        "vigil_run_newest_input_timestamp_seconds", "The newest updated_at that the last run read.",
        (run?.watermark).map { .time($0) }),
      family(
        "vigil_run_last_day_timestamp_seconds", "Start, in UTC, of the last day evaluated.",
        run.map { .seconds(microseconds: Int64($0.days.upperBound.ordinal) * 86_400_000_000) }),
    ]
  }

  private var countFamilies: [MetricFamily] {
    func count(_ name: String, _ help: String, _ count: KeyPath<RunRecord.Counts, Int>)
      -> MetricFamily
    {
      family("vigil_run_\(name)", help, (run?.counts[keyPath: count]).map { .number($0) })
    }
    return [
      count("persons", "Persons evaluated in the last run.", \.persons),
      count("series", "Series with data in the last run.", \.series),
      count("series_evaluations", "Series times days evaluated in the last run.", \.daysEvaluated),
      count("rows_read", "Metric rows read by the last run.", \.rowsRead),
      count("rows_changed", "Of these, rows newer than the watermark before.", \.rowsChanged),
      count("values_rejected", "Values left out by the last run.", \.valuesRejected),
      MetricFamily(
        name: "vigil_run_data_quality_findings",
        help: "What the last run left out, by metric (none for whole days) and reason.",
        samples: run?.dataQuality.map(finding) ?? []),
      family(
        "vigil_run_feed_persons",
        "Persons with a row of the last evaluated day, of those looked at.",
        (run?.feed?.sending).map { .number($0) }),
      family(
        "vigil_run_feed_usual_persons", "The same on a usual day before.",
        (run?.feed?.usual).map { .number($0) }),
      family(
        "vigil_run_feed_broken", "1 where the feed seemed broken on the last evaluated day.",
        run.flatMap { run in
          run.feed.map { .number($0.isBroken(on: run.days.upperBound) ? 1 : 0) }
        }),
      family(
        "vigil_run_dose_feed_persons",
        "Persons with a dose row of the last evaluated day, of those looked at.",
        (run?.doseFeed?.sending).map { .number($0) }),
      family(
        "vigil_run_dose_feed_usual_persons", "The same on a usual day before.",
        (run?.doseFeed?.usual).map { .number($0) }),
      family(
        "vigil_run_dose_feed_broken",
        "1 where the feed of doses seemed broken on the last evaluated day.",
        run.flatMap { run in
          run.doseFeed.map { .number($0.isBroken(on: run.days.upperBound) ? 1 : 0) }
        }),
      count("episodes_opened", "Episodes opened by the last run.", \.episodesOpened),
      count("episodes_escalated", "Episodes that the last run escalated.", \.episodesEscalated),
      count("episodes_resolved", "Episodes that the last run resolved.", \.episodesResolved),
      MetricFamily(
        name: "vigil_run_notifications_enqueued",
        help: "Notifications enqueued by the last run; in shadow mode none of them is sent.",
        samples: run.map { run in
          [
            .init(
              labels: ["kind": kind.rawValue, "mode": run.mode.rawValue],
              value: .number(run.counts.notificationsEnqueued))
          ]
        } ?? []),
      count(
        "notifications_held", "Notifications of the last run that wait for a decision.",
        \.notificationsHeld),
      count(
        "scores_changed", "Rows of scores that the last run wrote or removed.", \.scoresChanged),
      count("insights_found", "Insights of the last run that are not suppressed.", \.insightsFound),
    ]
  }

  private func finding(_ count: DataQualityCount) -> MetricFamily.Sample {
    guard let metric = count.metric else {
      return .init(
        labels: ["kind": kind.rawValue, "reason": count.reason], value: .number(count.count))
    }
    return .init(
      labels: ["kind": kind.rawValue, "metric": metric.rawValue, "reason": count.reason],
      value: .number(count.count))
  }

  /// A family with one value, or no family where the value is not known.
  private func family(_ name: String, _ help: String, _ value: MetricFamily.Value?) -> MetricFamily
  {
    MetricFamily(
      name: name, help: help,
      samples: value.map { [.init(labels: ["kind": kind.rawValue], value: $0)] } ?? [])
  }
}
