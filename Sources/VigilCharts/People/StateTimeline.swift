public import VigilModel

/// The state of each metric of one person, day by day.
///
/// ```swift
/// guard let day = Day("2026-06-28") else { return }
/// let timeline = StateTimeline(
///   days: day...day + 2, rows: [.init(label: "sleep", states: [.calm, .notWorn, .unknown])])
/// print(timeline.drawing.description)  // sleep: no alert.
/// ```
public struct StateTimeline: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// A value and no alert.
    case calm
    /// A day of an episode that has the level then.
    case alert(AlertLevel)
    /// No value.
    case unknown
    /// The device was not worn.
    case notWorn
  }

  public struct Row: Hashable, Sendable {
    /// The metric in words.
    public var label: String
    /// One for each day.
    public var states: [State]

    public init(label: String, states: [State]) {
      self.label = label
      self.states = states
    }
  }

  public let days: ClosedRange<Day>
  public let rows: [Row]
  /// The words of its texts and the form of its dates.
  public var language = ChartLanguage.english

  public init(days: ClosedRange<Day>, rows: [Row]) {
    precondition(rows.allSatisfy { $0.states.count == days.upperBound - days.lowerBound + 1 })
    self.days = days
    self.rows = rows
  }

  /// The timeline as a drawing: days from left to right, a row for each metric.
  public var drawing: Drawing {
    let (width, rowHeight, top) = (440.0, 16.0, 4.0)
    let (left, right) = (150.0, 434.0)
    let dayCount = days.upperBound - days.lowerBound + 1
    let step = (right - left) / Double(dayCount)
    let floor = top + Double(rows.count) * rowHeight
    return Drawing(
      title: language.text(.statesTitle), description: description, width: width,
      height: floor + 22
    ) { text in
      for (index, row) in rows.enumerated() {
        let y = top + Double(index) * rowHeight
        text.label(row.label, "tick", x: 0, y: y + 11)
        // One path for each kind keeps the page small.
        var paths: [(style: String, data: String)] = []
        func add(_ style: String, _ data: String) {
          if let place = paths.firstIndex(where: { $0.style == style }) {
            paths[place].data += data
          } else {
            paths.append((style, data))
          }
        }
        for (day, state) in row.states.enumerated() {
          let x = left + Double(day) * step
          let cell = Self.cell(of: state)
          let inset = (1 - cell.height) * (rowHeight - 4)
          add(
            cell.style,
            "M\(x.placed) \((y + 2 + inset).placed)h\(max(step - 0.6, 0.6).placed)"
              + "v\((rowHeight - 4 - inset).placed)h-\(max(step - 0.6, 0.6).placed)Z")
          let middle = x + step / 2
          switch state {
          case .unknown: add("hatch", ChartSymbol.noValue.path(x: middle, y: y + rowHeight / 2))
          case .notWorn: add("hatch", ChartSymbol.notWorn.path(x: middle, y: y + rowHeight / 2))
          case .calm, .alert: break
          }
        }
        for path in paths { text.path(path.style, path.data) }
      }
      for day in DayAxis.labelled(days, most: 5) {
        let x = left + (Double(day - days.lowerBound) + 0.5) * step
        guard x - left > 12 else { continue }
        text.line("axis", x1: x, y1: floor, x2: x, y2: floor + 4)
        text.label(
          language.short(day), "tick", x: min(x, right - 12), y: floor + 17, anchor: .middle)
      }
    }
  }

  /// The height of the cell shows the level too.
  private static func cell(of state: State) -> (style: String, height: Double) {
    switch state {
    case .calm: ("cell", 0.3)
    case .unknown, .notWorn: ("frame", 1)
    case .alert(.day3): ("watch", 0.55)
    case .alert(.day7): ("high", 0.75)
    case .alert(.day14), .alert(.day21): ("critical", 1)
    }
  }

  private var description: String {
    rows.map { row in
      let alerts = row.states.count { if case .alert = $0 { true } else { false } }
      guard alerts > 0 else { return language.text(.noAlert, ["label": row.label]) }
      return language.text(
        .alertDays,
        ["label": row.label, "count": "\(alerts)", "days": "\(row.states.count)"])
    }.joined(separator: " ")
  }
}
