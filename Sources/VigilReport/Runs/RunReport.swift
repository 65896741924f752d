public import Foundation
import VigilModel
public import VigilStorage

/// The output of `vigil runs show`: everything that is recorded of one run.
public struct RunReport: Sendable {
  public let run: RunRecord
  /// The runs whose processes hold the run lock; nil where that is not known.
  let atWork: Set<UUID>?

  public init(run: RunRecord, atWork: Set<UUID>?) {
    self.run = run
    self.atWork = atWork
  }
}

extension RunReport: Report {
  public func text(style: TextStyle) -> String {
    let counts = run.counts
    var pairs: [(String, String)] = [
      ("Run", run.id.lowercased),
      ("Kind", run.kind.rawValue),
      ("Days", run.daysText),
      ("Mode", run.mode.rawValue),
      ("Persons chosen", run.selection == nil ? "everybody" : "only those of --users"),
      ("Shards", NumberText.count(run.shards)),
      ("Status", run.statusText(atWork: atWork)),
      ("Started", run.startedAt.description),
      ("Finished", run.finishedAt?.description ?? "–"),
      ("Took", run.seconds.map(NumberText.duration) ?? "–"),
      ("Thresholds", "\(run.thresholds.version), SHA-256 \(run.thresholds.digest)"),
      ("Candidate", run.candidate.map { "\($0.version), SHA-256 \($0.digest)" } ?? "–"),
      ("Evaluated", run.partsText.map { "only \($0)" } ?? "everything"),
      ("Vitality", run.vitality.map { "\($0.version), SHA-256 \($0.digest)" } ?? "–"),
      ("Engine", run.engineVersion),
      ("Host", run.host),
      ("Persons", NumberText.count(counts.persons)),
      ("Series", NumberText.count(counts.series)),
      ("Series-days", NumberText.count(counts.daysEvaluated)),
      ("Rows read", NumberText.count(counts.rowsRead)),
      ("Rows changed", run.rowsChangedText),
      ("Watermark", run.watermark?.description ?? "–"),
      ("Values rejected", NumberText.count(counts.valuesRejected)),
      ("Episodes", run.episodesText()),
      ("Notifications", run.notificationsText()),
      ("Scores", run.vitalityText),
    ]
    if run.isSilent { pairs.append(("Silent", RunSummary.silence)) }
    if let feed = run.feedText { pairs.append(("Feed", feed)) }
    if let feed = run.doseFeedText { pairs.append(("Dose feed", feed)) }
    if let error = run.error { pairs.append(("Error", error)) }
    var text = TextTable(pairs: pairs, indent: "").render(style)
    if !run.dataQuality.isEmpty {
      var table = TextTable([.init("Metric"), .init("Reason"), .init("Count", .right), .init("Of")])
      table.rows = run.dataQuality.map {
        [
          .init($0.subjectText), .init($0.reasonText()), .init(NumberText.count($0.count)),
          .init($0.unit?.rawValue ?? "–"),
        ]
      }
      text += "\nData quality\n" + table.render(style)
    }
    return text
  }

  public func encode(to encoder: any Encoder) throws {
    try RunDocument(run, atWork: atWork).encode(to: encoder)
  }
}

/// A run as JSON; names are those of the columns of `batch_runs`.
struct RunDocument: Encodable {
  var id: String
  var kind: RunRecord.Kind
  var fromDate: Day
  var toDate: Day
  var mode: RunRecord.Mode
  var shards: Int
  var selection: OrNull<String>
  var isSilent: Bool
  var thresholdsVersion: String
  var thresholdsDigest: String
  var candidateVersion: OrNull<String>
  var candidateDigest: OrNull<String>
  var parts: [RunPart]
  var vitalityVersion: OrNull<String>
  var vitalityDigest: OrNull<String>
  var engineVersion: String
  var host: String
  var startedAt: Timestamp
  var finishedAt: OrNull<Timestamp>
  var seconds: OrNull<Double>
  var counts: RunRecord.Counts
  var dataQuality: [Quality]
  var watermark: OrNull<Timestamp>
  var status: RunRecord.Status
  /// Whether the run is recorded as running, and no process works on it.
  var processIsGone: Bool
  var error: OrNull<String>

  struct Quality: Encodable {
    var metric: OrNull<MetricType>
    var reason: String
    var count: Int
    /// The unit of the count.
    var unit: OrNull<DataQualityCount.Unit>
  }

  /// - Parameter atWork: The runs whose processes hold the run lock; nil where that is not known.
  init(_ run: RunRecord, atWork: Set<UUID>?) {
    id = run.id.lowercased
    kind = run.kind
    fromDate = run.days.lowerBound
    toDate = run.days.upperBound
    mode = run.mode
    shards = run.shards
    selection = OrNull(run.selection?.lowercased)
    isSilent = run.isSilent
    thresholdsVersion = run.thresholds.version
    thresholdsDigest = run.thresholds.digest
    candidateVersion = OrNull(run.candidate?.version)
    candidateDigest = OrNull(run.candidate?.digest)
    parts = run.parts.sorted()
    vitalityVersion = OrNull(run.vitality?.version)
    vitalityDigest = OrNull(run.vitality?.digest)
    engineVersion = run.engineVersion
    host = run.host
    startedAt = run.startedAt
    finishedAt = OrNull(run.finishedAt)
    seconds = OrNull(run.seconds)
    counts = run.counts
    dataQuality = run.dataQuality.map {
      Quality(metric: OrNull($0.metric), reason: $0.reason, count: $0.count, unit: OrNull($0.unit))
    }
    watermark = OrNull(run.watermark)
    status = run.status
    processIsGone = run.isAbandoned(atWork: atWork)
    error = OrNull(run.error)
  }
}
