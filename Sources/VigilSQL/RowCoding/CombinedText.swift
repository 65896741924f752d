import Foundation
import VigilModel
import VigilStorage

/// The JSON of the evidence of several metrics together, as the column `anchor` of such an alert holds it.
enum CombinedText {
  /// Returns the text with its keys ascending; each number keeps every bit.
  ///
  /// JSON has only finite numbers: the text of others is empty, which the table refuses.
  static func text(of evidence: CombinedEvidence) -> String {
    let document = Document(
      contributing: evidence.contributions.map(Contribution.init),
      unchanged: evidence.unchanged.map(\.rawValue))
    return (try? JSONEncoder.ofRows.encode(document)).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// Returns the metrics of a text; nil for one that Vigil cannot have written.
  static func metrics(
    of text: String
  ) -> (contributions: [CombinedEvidence.Contribution], unchanged: [MetricType])? {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(text.utf8)) else {
      return nil
    }
    let contributions = document.contributing.compactMap(\.value)
    guard contributions.count == document.contributing.count, contributions.count >= 2 else {
      return nil
    }
    let unchanged = document.unchanged.map { MetricType($0) }
    let metrics = contributions.map(\.metric) + unchanged
    return Set(metrics).count == metrics.count ? (contributions, unchanged) : nil
  }

  private struct Document: Codable {
    var contributing: [Contribution]
    var unchanged: [String]
  }

  private struct Contribution: Codable {
    var anchor: AnchorText.Members
    var baseline: Window
    var metric: String
    var recent: Window
    var shift: Double
    var z: Double

    init(_ contribution: CombinedEvidence.Contribution) {
      anchor = AnchorText.Members(contribution.anchor)
      baseline = Window(contribution.baseline)
      metric = contribution.metric.rawValue
      recent = Window(contribution.recent)
      shift = contribution.shift
      z = contribution.z
    }

    var value: CombinedEvidence.Contribution? {
      guard let anchor = anchor.anchor, let baseline = baseline.window, let recent = recent.window,
        !metric.isEmpty, shift.isFinite, z.isFinite
      else { return nil }
      return CombinedEvidence.Contribution(
        metric: MetricType(metric), z: z, shift: shift, baseline: baseline, recent: recent,
        anchor: anchor)
    }
  }

  private struct Window: Codable {
    var count: Int
    var end: String
    var start: String
    var value: Double

    init(_ window: EpisodeFigures.Window) {
      count = window.count
      end = "\(window.end)"
      start = "\(window.start)"
      value = window.value
    }

    var window: EpisodeFigures.Window? {
      guard let start = Day(start), let end = Day(end), start <= end,
        RowBounds.dayCounts.contains(count), count > 0, value.isFinite
      else { return nil }
      return EpisodeFigures.Window(value: value, start: start, end: end, count: count)
    }
  }
}
