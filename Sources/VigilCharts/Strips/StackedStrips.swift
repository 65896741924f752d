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

    func label(_ tick: Double, in language: ChartLanguage) -> String {
      switch self {
      case .spreads:
        tick == 0
          ? language.text(.usual) : "\(tick > 0 ? "+" : "")\(ChartNumber.place(tick))"
      case .points: ChartNumber.place(tick)
      }
    }

    func text(_ value: Double, in language: ChartLanguage) -> String {
      switch self {
      case .spreads: language.signed(value)
      case .points: language.value(value)
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
  /// The words of its texts and the form of its numbers and dates.
  public var language = ChartLanguage.english

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

  /// The same strips without the figures beside their names.
  public var withoutNotes: StackedStrips {
    var strips = StackedStrips(
      title: title, axis: axis, lanes: lanes.map { Lane($0.strip, note: "") }, marks: marks)
    strips.language = language
    return strips
  }

  var days: ClosedRange<Day> { lanes[0].strip.days }

  /// The strips in words, for readers who do not see them.
  var description: String {
    var sentences = lanes.map { lane in
      let strip = lane.strip
      var text = language.text(
        .lane,
        [
          "label": strip.label + (lane.note.isEmpty ? "" : ", \(lane.note)"),
          "count": "\(strip.values.count)", "days": "\(strip.readings.count)",
        ])
      if let mean = strip.latestMean {
        text +=
          language.text(.laneMean, ["value": words(mean.value)])
          + language.onDay(mean.day, before: days.upperBound)
      }
      return text + "."
    }
    var seen: [SeriesStrip.Span] = []
    for lane in lanes {
      for span in lane.strip.episodes
      where lane.strip.drawnDays(of: span) != nil && !seen.contains(where: { $0.days == span.days })
      {
        seen.append(span)
        sentences.append(span.description(.alert, in: language, value: language.value))
      }
    }
    for kind in SeriesStrip.Mark.Kind.allCases {
      let all = marks + lanes.flatMap(\.strip.marks)
      let count = Set(all.filter { $0.kind == kind && days.contains($0.day) }.map(\.day)).count
      if count > 0 { sentences.append(kind.sentence(count, in: language)) }
    }
    return sentences.joined(separator: " ")
  }

  private func words(_ value: Double) -> String {
    switch axis {
    case .points: language.text(.points, ["value": language.value(value)])
    case .spreads:
      language.text(
        value < 0 ? .better : .worse,
        ["value": language.own(ChartNumber.fixed(value.magnitude, decimals: 1))])
    }
  }

  /// The same from a later first day on.
  func suffix(days count: Int) -> StackedStrips {
    var strips = StackedStrips(
      title: title, axis: axis,
      lanes: lanes.map { Lane($0.strip.suffix(days: count), note: $0.note) }, marks: marks)
    strips.language = language
    return strips
  }
}

extension SeriesStrip.Span {
  /// Its first day and its end, by which spans of several series are known to be the same.
  var days: [Day?] { [activeSince, resolvedOn] }
}
