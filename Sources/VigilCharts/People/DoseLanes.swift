public import VigilModel

/// The doses of one person: a lane for each medication, and a mark for each dose of a day.
///
/// ```swift
/// guard let day = Day("2026-06-28") else { return }
/// let lanes = DoseLanes(
///   days: day...day + 1, lanes: [.init(label: "Tablets", doses: [[.taken, .missed], [.late]])])
/// print(lanes.drawing.description)  // Tablets: 2 of 3 doses taken, 1 of them late; 1 missed.
/// ```
public struct DoseLanes: Hashable, Sendable {
  /// The outcome of a dose; each has a shape of its own.
  public enum Mark: String, Hashable, Sendable, CaseIterable {
    /// Taken on time.
    case taken
    case early, late, missed, skipped
    /// Not taken, as was planned.
    case plannedSkip
    /// Not yet due, or not yet too late.
    case pending
    /// Taken although no schedule expects it, or as needed.
    case extra
  }

  public struct Lane: Hashable, Sendable {
    /// The medication.
    public var label: String
    /// One list for each day, in order of time; extra doses come last.
    public var doses: [[Mark]]

    public init(label: String, doses: [[Mark]]) {
      self.label = label
      self.doses = doses
    }
  }

  public let days: ClosedRange<Day>
  public let lanes: [Lane]
  /// The alerts of doses that go on or went on in the days, whose days are shaded.
  public var alerts: [SeriesStrip.Span] = []
  /// The words of its texts and the form of its dates.
  public var language = ChartLanguage.english

  /// Marks of one day that are drawn; further ones are counted in words only.
  static let mostMarks = 6

  public init(days: ClosedRange<Day>, lanes: [Lane]) {
    precondition(lanes.allSatisfy { $0.doses.count == days.upperBound - days.lowerBound + 1 })
    self.days = days
    self.lanes = lanes
  }

  /// The kinds that are drawn, in their order.
  public var kinds: [Mark] {
    let used = Set(lanes.flatMap { $0.doses.flatMap { $0 } })
    return Mark.allCases.filter(used.contains)
  }

  /// The lanes as a drawing: days from left to right, doses of a day from the top.
  public var drawing: Drawing {
    let (width, left, right, heading, rowHeight) = (440.0, 4.0, 434.0, 16.0, 8.0)
    let step = (right - left) / Double(days.upperBound - days.lowerBound + 1)
    func rows(_ lane: Lane) -> Double {
      Double(min(Self.mostMarks, max(1, lane.doses.map(\.count).max() ?? 1)))
    }
    let head = alerts.isEmpty ? 0.0 : 14
    let floor = head + lanes.reduce(0.0) { $0 + heading + rows($1) * rowHeight + 6 }
    return Drawing(
      title: language.text(.dosesTitle), description: description, width: width,
      height: floor + 22
    ) { text in
      for span in alerts {
        span.shade(days, from: left, step: step, down: 0...floor, into: &text)
      }
      var top = head
      for lane in lanes {
        text.label(lane.label, "tick", x: 0, y: top + 12)
        let first = top + heading
        text.line("grid", x1: left, y1: first, x2: right, y2: first)
        var paths: [Mark: String] = [:]
        for (index, doses) in lane.doses.enumerated() {
          let x = left + (Double(index) + 0.5) * step
          for (place, mark) in doses.prefix(Self.mostMarks).enumerated() {
            paths[mark, default: ""] += mark.path(
              x: x, y: first + (Double(place) + 0.5) * rowHeight + 2)
          }
        }
        for mark in Mark.allCases { text.path(mark.style, paths[mark] ?? "") }
        top = first + rows(lane) * rowHeight + 6
      }
      text.line("axis", x1: left, y1: floor, x2: right, y2: floor)
      for day in DayAxis.labelled(days, most: 6) {
        let x = left + (Double(day - days.lowerBound) + 0.5) * step
        text.line("axis", x1: x, y1: floor, x2: x, y2: floor + 4)
        text.label(
          language.short(day), "tick", x: min(max(x, left + 18), right - 14), y: floor + 17,
          anchor: .middle)
      }
    }
  }

  private var description: String {
    lanes.map { lane in
      let counts = Dictionary(lane.doses.flatMap { $0.map { ($0, 1) } }, uniquingKeysWith: +)
      func count(_ marks: Mark...) -> Int { marks.reduce(0) { $0 + (counts[$1] ?? 0) } }
      let taken = count(.taken, .early, .late)
      let expected = taken + count(.missed, .skipped)
      var text = language.text(
        .doses, ["label": lane.label, "taken": "\(taken)", "expected": "\(expected)"])
      for (mark, words) in [
        (Mark.late, ChartText.dosesLate), (.early, .dosesEarly), (.missed, .dosesMissed),
        (.skipped, .dosesSkipped), (.extra, .dosesExtra), (.pending, .dosesPending),
      ] where count(mark) > 0 {
        text += language.text(words, ["count": "\(count(mark))"])
      }
      return text + "."
    }.joined(separator: " ")
  }
}

extension DoseLanes.Mark {
  /// The meaning in words.
  public var words: String {
    switch self {
    case .taken: "taken on time"
    case .early: "taken early"
    case .late: "taken late"
    case .missed: "missed"
    case .skipped: "skipped"
    case .plannedSkip: "left out as planned"
    case .pending: "not yet due"
    case .extra: "extra or as needed"
    }
  }

  var style: String {
    switch self {
    case .taken, .early, .late: "good"
    case .missed: "alarm"
    case .skipped, .plannedSkip, .pending, .extra: "hollow"
    }
  }

  /// The outline around a point; five pixels wide, as sixty days leave no more room.
  func path(x: Double, y: Double) -> String {
    func to(_ dx: Double, _ dy: Double) -> String { "\((x + dx).placed) \((y + dy).placed)" }
    return switch self {
    case .taken: "M\(to(-2.2, -2.2))h4.4v4.4h-4.4Z"
    case .early: "M\(to(2.2, -2.8))v5.6l-4.6 -2.8Z"
    case .late: "M\(to(-2.2, -2.8))v5.6l4.6 -2.8Z"
    case .missed: "M\(to(-2, -2))l4 4M\(to(-2, 2))l4 -4"
    case .skipped: "M\(to(-2.2, 0))h4.4"
    case .plannedSkip: "M\(to(-0.6, 0))h1.2"
    case .pending: "M\(to(-2, 0))a2 2 0 1 0 4 0a2 2 0 1 0 -4 0"
    case .extra: "M\(to(-2.4, 0))h4.8M\(to(0, -2.4))v4.8"
    }
  }

  /// The mark alone, for a legend whose words stand beside it.
  public var legendEntry: String {
    var text = SVGText()
    text.open("svg", ["class": "symbol", "viewBox": "0 0 12 12", "aria-hidden": "true"])
    text.path(style, path(x: 6, y: 6))
    text.close("svg")
    return text.text
  }
}
