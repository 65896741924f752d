public import VigilModel
public import VigilStorage

/// The figures of a sender for the textfile collector of Prometheus' node_exporter.
///
/// Counters begin at 0 with each process, which Prometheus expects of them. They hold no data of a person.
public struct DispatchMetrics: Sendable {
  private let channels: [PlannedNotification.Channel]
  private let tallies: [PlannedNotification.Channel: DispatchTally]
  private let escalation: EscalationTally?
  private let backlog: DispatchBacklog
  private let now: Timestamp

  /// - Parameters:
  ///   - channels: The channels that it sends on, in the order of the file.
  ///   - tallies: Their numbers.
  ///   - escalation: The numbers of calls; nil where it makes none.
  ///   - backlog: The rows that are due.
  ///   - now: The present instant.
  public init(
    channels: [PlannedNotification.Channel],
    tallies: [PlannedNotification.Channel: DispatchTally], escalation: EscalationTally? = nil,
    backlog: DispatchBacklog, at now: Timestamp
  ) {
    self.channels = channels
    self.tallies = tallies
    self.escalation = escalation
    self.backlog = backlog
    self.now = now
  }

  /// The whole file, which ends with a line break.
  public var text: String {
    let age = backlog.oldestDue.map { max(0, now.microseconds - $0.microseconds) } ?? 0
    return family("vigil_dispatch_last_report_timestamp_seconds", "gauge", "When this was written.")
      + "vigil_dispatch_last_report_timestamp_seconds \(now.wholeSeconds)\n"
      + family("vigil_dispatch_due_rows", "gauge", "Rows that are due, up to 10000.")
      + "vigil_dispatch_due_rows \(backlog.due)\n"
      + family(
        "vigil_dispatch_oldest_due_age_seconds", "gauge",
        "For how long the oldest row has been due; 0 where none is.")
      + "vigil_dispatch_oldest_due_age_seconds \(Double(age) / 1e6)\n"
      + family(
        "vigil_dispatch_resting", "gauge",
        "Whether the channel rests because its attempts failed one after the other.")
      + channels.map {
        "vigil_dispatch_resting{channel=\"\($0.rawValue)\"} \(tally($0).rest == nil ? 0 : 1)\n"
      }.joined()
      + counter("sent", "Rows that a provider accepted.", \.sent)
      + counter("retried", "Attempts that failed and are repeated.", \.retried)
      + counter("failed", "Rows that became dead letters.", \.failed)
      + counter("uncertain", "Attempts whose outcome is not known.", \.uncertain)
      + counter("lost", "Outcomes that came after another sender had taken the row.", \.lost)
      + counter("taken_back", "Leases of senders that were gone.", \.takenBack)
      + reasons("cancelled", "Rows that are not to be sent any more.", \.cancelled)
      + reasons("postponed", "Rows that were put off.", \.postponed)
      + latency + calls
  }

  /// Nothing where no calls are made.
  private var calls: String {
    guard let escalation else { return "" }
    let name = "vigil_dispatch_escalation_calls_total"
    return family(
      name, "counter",
      "Calls upon caregivers and emergency contacts, by what this sender has recorded of them.")
      + [
        ("made", escalation.made), ("notified", escalation.notified),
        ("no_response", escalation.noResponse), ("acknowledged", escalation.acknowledged),
        ("resolved", escalation.resolved),
      ].map { "\(name){result=\"\($0)\"} \($1)\n" }.joined()
  }

  private func family(_ name: String, _ type: String, _ help: String) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private func tally(_ channel: PlannedNotification.Channel) -> DispatchTally {
    tallies[channel] ?? DispatchTally()
  }

  private func counter(
    _ name: String, _ help: String, _ number: KeyPath<DispatchTally, Int>
  ) -> String {
    let name = "vigil_dispatch_\(name)_total"
    return family(name, "counter", help)
      + channels.map {
        "\(name){channel=\"\($0.rawValue)\"} \(tally($0)[keyPath: number])\n"
      }.joined()
  }

  private func reasons(
    _ name: String, _ help: String,
    _ numbers: KeyPath<DispatchTally, [PlannedNotification.StatusReason: Int]>
  ) -> String {
    let name = "vigil_dispatch_\(name)_total"
    return family(name, "counter", help)
      + (channels + [.inApp]).flatMap { channel in
        tally(channel)[keyPath: numbers].sorted { $0.key.rawValue < $1.key.rawValue }.map {
          "\(name){channel=\"\(channel.rawValue)\",reason=\"\($0.key.rawValue)\"} \($0.value)\n"
        }
      }.joined()
  }

  private var latency: String {
    let name = "vigil_dispatch_latency_seconds"
    var text = family(name, "histogram", "From when a row was due until it was sent.")
    for channel in channels {
      let histogram = tally(channel).latency
      var total = 0
      for (bound, count) in zip(
        LatencyHistogram.bounds.map { "\(Int($0))" } + ["+Inf"], histogram.counts)
      {
        total += count
        text += "\(name)_bucket{channel=\"\(channel.rawValue)\",le=\"\(bound)\"} \(total)\n"
      }
      text += "\(name)_sum{channel=\"\(channel.rawValue)\"} \(histogram.sum)\n"
      text += "\(name)_count{channel=\"\(channel.rawValue)\"} \(total)\n"
    }
    return text
  }
}
