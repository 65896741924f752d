import VigilModel

/// Several series of one person, one below the other on the same axis.
///
/// ```swift
/// guard let day = Day("2026-06-28") else { return }
/// let sleep = SeriesStrip(
///   label: "sleep", unit: "", days: day...day + 1, readings: [.value(0.2), .value(2.4)])
/// let strips = StackedStrips(
///   title: "Sleep", axis: .spreads(limit: 3), lanes: [.init(sleep, note: "264 min, usual 425")])
/// print(strips.drawing.title)  // Sleep
/// ```
public struct StackedStrips: Hashable, Sendable {
  /// The axis that all series share.
  public enum Axis: Hashable, Sendable {
    /// The distance from what is usual, in personal spreads: up is worse, and no day counts more than the limit.
    case spreads(limit: Double)
    /// Points of a score, 0 to 100.
    case points

    /// The places with a line across, from the bottom.
    var ticks: [Double] {
      switch self {
      case .spreads: [-2, 0, 2]
      case .points: [0, 50, 100]
      }
    }

    var range: ClosedRange<Double> {
      switch self {
      case .spreads(let limit): -limit...limit
      case .points: 0...100
      }
    }

    func label(_ tick: Double) -> String {
      switch self {
      case .spreads: tick == 0 ? "usual" : "\(tick > 0 ? "+" : "")\(ChartNumber.place(tick))"
      case .points: ChartNumber.place(tick)
      }
    }

    func text(_ value: Double) -> String {
      switch self {
      case .spreads: ChartNumber.signed(value)
      case .points: ChartNumber.value(value)
      }
    }
  }

  /// One series, with values on the common axis.
  public struct Lane: Hashable, Sendable {
    public var strip: SeriesStrip
    /// Its figures in its own unit, beside its name.
    public var note: String

    public init(_ strip: SeriesStrip, note: String) {
      self.strip = strip
      self.note = note
    }
  }

  public var title: String
  public let axis: Axis
  /// All of the same days.
  public let lanes: [Lane]
  /// Events of all series together.
  public var marks: [SeriesStrip.Mark]

  /// - Parameters:
  ///   - title: The drawing in a few words.
  ///   - axis: The common axis.
  ///   - lanes: From the top; at least one, all of the same days.
  ///   - marks: Events of all series together, such as notifications.
  public init(title: String, axis: Axis, lanes: [Lane], marks: [SeriesStrip.Mark] = []) {
    precondition(!lanes.isEmpty && lanes.allSatisfy { $0.strip.days == lanes[0].strip.days })
    self.title = title
    self.axis = axis
    self.lanes = lanes
    self.marks = marks
  }

  var days: ClosedRange<Day> { lanes[0].strip.days }

  /// The strips in words, for readers who do not see them.
  var description: String {
    var sentences = lanes.map { lane in
      let strip = lane.strip
      var text = "\(strip.label)"
      if !lane.note.isEmpty { text += ", \(lane.note)" }
      text += ": \(strip.values.count) of \(strip.readings.count) days have a value"
      if let mean = strip.latestMean {
        text +=
          "; the latest mean of 7 days is \(words(mean.value))\(strip.dateWords(of: mean.day))"
      }
      return text + "."
    }
    var seen: [SeriesStrip.Span] = []
    for lane in lanes {
      for span in lane.strip.episodes
      where lane.strip.drawnDays(of: span) != nil && !seen.contains(where: { $0.days == span.days })
      {
        seen.append(span)
        var text = "An alert since \(span.activeSince.longText)"
        if let step = span.levels.last { text += ", at level \(step.level.rawValue)" }
        if let end = span.resolvedOn { text += ", ended on \(end.longText)" }
        sentences.append(text + ".")
      }
    }
    for kind in SeriesStrip.Mark.Kind.allCases {
      let all = marks + lanes.flatMap(\.strip.marks)
      let count = Set(all.filter { $0.kind == kind && days.contains($0.day) }.map(\.day)).count
      if count > 0 { sentences.append("\(kind.words(count)).") }
    }
    return sentences.joined(separator: " ")
  }

  private func words(_ value: Double) -> String {
    switch axis {
    case .points: "\(ChartNumber.value(value)) points"
    case .spreads:
      "\(ChartNumber.fixed(value.magnitude, decimals: 1)) personal spreads"
        + " \(value < 0 ? "better" : "worse") than usual"
    }
  }

  /// The same from a later first day on.
  func suffix(days count: Int) -> StackedStrips {
    StackedStrips(
      title: title, axis: axis,
      lanes: lanes.map { Lane($0.strip.suffix(days: count), note: $0.note) }, marks: marks)
  }
}

extension SeriesStrip.Span {
  /// Its first day and its end, by which spans of several series are known to be the same.
  var days: [Day?] { [activeSince, resolvedOn] }
}
