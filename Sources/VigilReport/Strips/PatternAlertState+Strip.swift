public import Foundation
public import VigilCharts
public import VigilDetection
public import VigilModel
public import VigilStorage
import VigilWords

/// The material that strips of alerts of one person are drawn from.
public struct StripMaterial: Sendable {
  /// The days that are drawn.
  public var drawn: ClosedRange<Day>
  /// The days of the alerts' person, six more before the first drawn one for its mean.
  public var person: PersonDays
  /// The profile of the alerts; nil where it is not at hand, and bands are left out.
  public var thresholds: Thresholds?
  /// Rows of the queue; those of other alerts are ignored.
  public var notifications: [QueuedNotification]
  /// By run, its last evaluated day.
  public var evaluated: [UUID: Day]

  public init(
    drawn: ClosedRange<Day>, person: PersonDays, thresholds: Thresholds?,
    notifications: [QueuedNotification], evaluated: [UUID: Day]
  ) {
    self.drawn = drawn
    self.person = person
    self.thresholds = thresholds
    self.notifications = notifications
    self.evaluated = evaluated
  }

  func marks(of alerts: Set<UUID>) -> [SeriesStrip.Mark] {
    notifications.filter { $0.alertStateID.map(alerts.contains) ?? false }.marks(evaluated)
  }
}

extension PatternAlertState {
  /// The strip of the alert's series; of an alert of several metrics, the contributing ones one below the other.
  ///
  /// - Parameters:
  ///   - material: The days and the profile.
  ///   - others: Earlier alerts of the same series.
  public func drawing(from material: StripMaterial, others: [PatternAlertState] = []) -> Drawing {
    guard let combined = episode.combined else {
      return strip(from: material, others: others).drawing
    }
    if let stacked = StackedStrips(of: [self], from: material, title: series.metric.words) {
      return stacked.drawing
    }
    // The profile of the alert is not at hand: its metrics stand in their own units.
    let marks = material.marks(of: [id])
    let strips = combined.contributions.map { contribution in
      var strip = strip(of: contribution, from: material)
      if contribution != combined.contributions.first {
        strip.marks.removeAll(where: marks.contains)
      }
      return strip
    }
    return Drawing(stacking: strips.map(\.drawing), title: series.metric.words)
  }

  /// The strip of the alert's series in its own unit.
  ///
  /// - Parameters:
  ///   - material: The days and the profile.
  ///   - others: Earlier alerts of the same series.
  public func strip(
    from material: StripMaterial, others: [PatternAlertState] = []
  ) -> SeriesStrip {
    material.person.strip(
      of: series.metric, on: material.drawn,
      episodes: (others + [self]).map {
        SeriesStrip.Span(
          $0.episode, $0.series.pattern,
          band: $0.usualRange(of: $0.series.metric, by: material.thresholds))
      }
      .sorted { $0.activeSince < $1.activeSince },
      marks: material.marks(of: [id]))
  }

  /// The strip of one of its metrics in the unit of that metric.
  func strip(
    of contribution: CombinedEvidence.Contribution, from material: StripMaterial
  ) -> SeriesStrip {
    var span = SeriesStrip.Span(episode, contribution)
    span.usual?.band = usualRange(of: contribution.metric, by: material.thresholds)
    return material.person.strip(
      of: contribution.metric, on: material.drawn, episodes: [span],
      marks: material.marks(of: [id]))
  }

  /// The usual value of a day give or take one personal spread; nil where no evidence opened the alert.
  ///
  /// - Parameter metric: That of the alert, or a contributing one of several.
  func usualRange(
    of metric: MetricType, by thresholds: Thresholds?
  ) -> ClosedRange<Double>? {
    let contribution = episode.combined?.contributions.first { $0.metric == metric }
    guard let anchor = contribution?.anchor ?? episode.evidence?.anchor,
      thresholds?.profile == profile,
      let evidence = thresholds?.metrics.first(where: { $0.metric == metric })?.evidence
    else { return nil }
    return evidence.usualRange(in: anchor)
  }
}

extension StackedStrips {
  /// The metrics of the alerts of one event, each once, in personal spreads from its frozen baseline.
  ///
  /// - Parameters:
  ///   - alerts: Alerts of one person; those of several metrics come first.
  ///   - material: The days and the profile.
  ///   - title: The drawing in a few words.
  ///   - words: Those of the drawing.
  /// - Returns: Nil where a metric is not followed by evidence, or the profile is not at hand.
  init?(
    of alerts: [PatternAlertState], from material: StripMaterial, title: String,
    in words: PageWords = .ofReports
  ) {
    guard let thresholds = material.thresholds,
      alerts.allSatisfy({ $0.profile == thresholds.profile })
    else { return nil }
    var named: Set<MetricType> = []
    let metrics = alerts.flatMap { UsualMetric.all(of: $0.episode, $0.series.metric) }
      .filter { named.insert($0.metric).inserted }
    guard Set(alerts.map(\.series.metric)).subtracting(named).subtracting([.combined]).isEmpty
    else { return nil }
    let (days, person) = (material.drawn, material.person)
    let lanes = metrics.compactMap { metric in
      Lane(
        of: metric, on: days, thresholds, workouts: person.workouts,
        deviceChanges: person.deviceChanges[metric.metric] ?? [], in: words.besideLanes
      ) { person.reading(of: metric.metric, on: $0) }
    }
    guard !lanes.isEmpty, lanes.count == metrics.count else { return nil }
    self.init(
      title: title, axis: .spreads(limit: thresholds.evidence.clip), lanes: lanes,
      marks: material.marks(of: Set(alerts.map(\.id))))
    language = words.ofCharts
  }
}

extension PersonDays {
  /// The strip of one metric.
  fileprivate func strip(
    of metric: MetricType, on drawn: ClosedRange<Day>, episodes: [SeriesStrip.Span],
    marks: [SeriesStrip.Mark]
  ) -> SeriesStrip {
    let earlier = drawn.lowerBound - 6...drawn.lowerBound - 1
    let readings = readings(of: metric, on: drawn)
    var strip = SeriesStrip(
      label: metric.words, unit: metric.isDuration ? "" : metric.unitBesideName, days: drawn,
      readings: readings.isEmpty ? drawn.map { _ in .noRow } : readings,
      earlier: self.readings(of: metric, on: earlier), workouts: workouts, episodes: episodes,
      marks: (deviceChanges[metric] ?? []).map { SeriesStrip.Mark(.deviceChange, on: $0) } + marks)
    strip.isDuration = metric.isDuration
    return strip
  }
}
