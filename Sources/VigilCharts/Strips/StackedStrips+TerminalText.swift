import VigilModel

extension StackedStrips {
  /// The strips as lines of text, without colour and with a line break at the end.
  ///
  /// Where the width does not hold all days, the oldest ones are left out.
  ///
  /// - Parameters:
  ///   - width: Columns at most; 40 or more.
  ///   - rows: Lines of the plot of each series; 3 or more.
  ///   - characters: The characters that the terminal can show.
  public func terminalText(
    width: Int = 80, rows: Int = 5, characters: SeriesStrip.TerminalCharacters = .braille
  ) -> String {
    let room = max(40, width) - TerminalStack.margin
    return TerminalStack(suffix(days: room), room: room, rows: max(3, rows), characters).text
  }
}

/// Stacked strips whose days all fit, one in each column.
private struct TerminalStack {
  static let labelWidth = 7
  static let margin = labelWidth + 2

  private let strips: StackedStrips
  private let room: Int
  private let rows: Int
  private let isASCII: Bool
  private var columns: Int { strips.lanes[0].strip.readings.count }

  init(
    _ strips: StackedStrips, room: Int, rows: Int, _ characters: SeriesStrip.TerminalCharacters
  ) {
    self.strips = strips
    self.room = room
    self.rows = rows
    isASCII = characters == .ascii
  }

  var text: String {
    var lines: [String] = []
    for lane in strips.lanes {
      let note = lane.note.isEmpty ? "" : ": \(lane.note)"
      lines += TerminalLines.wrapped(
        ["\(lane.strip.label)\(note)".terminalSafe], room: room + Self.margin)
      lines += plot(of: lane.strip)
      lines += absences(of: lane.strip)
    }
    lines.append(
      String(repeating: " ", count: Self.labelWidth + 1) + (isASCII ? "+" : "└")
        + String(repeating: isASCII ? "-" : "─", count: columns))
    lines += alertLines
    lines += markLine
    lines.append(dates)
    lines += legend
    return lines.map { $0.trimmingEnd() }.joined(separator: "\n") + "\n"
  }

  private func row(of value: Double, among count: Int) -> Int {
    let range = strips.axis.range
    let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return min(count - 1, max(0, Int(clamping: (1 - share) * Double(count))))
  }

  private func column(of day: Day) -> Int { day - strips.days.lowerBound }

  private func plot(of strip: SeriesStrip) -> [String] {
    var canvas = BrailleCanvas(columns: columns, rows: rows)
    var marks = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows)
    if let usual {
      let row = row(of: usual, among: rows)
      for column in 0..<columns { marks[row][column] = isASCII ? "-" : "─" }
    }
    for (index, reading) in strip.readings.enumerated() {
      guard let value = reading.value, value.isFinite else { continue }
      if isASCII {
        marks[row(of: value, among: rows)][index] = "*"
      } else {
        let y = row(of: value, among: rows * 4)
        canvas.set(x: index * 2, y: y)
        canvas.set(x: index * 2 + 1, y: y)
      }
    }
    let labels = Dictionary(
      strips.axis.ticks.map {
        (row(of: $0, among: rows), strips.axis.label($0, in: strips.language))
      },
      uniquingKeysWith: { first, _ in first })
    return (0..<rows).map { row in
      let cells = (0..<columns).map { column in
        canvas.character(column: column, row: row) ?? marks[row][column]
      }
      let label = labels[row] ?? ""
      let edge = isASCII ? (label.isEmpty ? "|" : "+") : (label.isEmpty ? "│" : "┤")
      return "\(label.leading(Self.labelWidth)) \(edge)\(String(cells))"
    }
  }

  /// The place of what is usual on the axis; points have none.
  private var usual: Double? { strips.axis == .points ? nil : 0 }

  private func lane(_ name: String, _ fill: (inout [Character]) -> Void) -> [String] {
    var cells = Array(repeating: Character(" "), count: columns)
    fill(&cells)
    guard cells.contains(where: { $0 != " " }) else { return [] }
    return ["\(name.leading(Self.labelWidth))  \(String(cells))"]
  }

  private func character(_ symbol: ChartSymbol) -> Character {
    isASCII ? symbol.character.ascii : symbol.character.unicode
  }

  private func absences(of strip: SeriesStrip) -> [String] {
    lane("data") { cells in
      for (day, reading) in zip(strip.days, strip.readings) {
        if let symbol = reading.symbol {
          cells[column(of: day)] = character(symbol)
        } else if strip.workouts.contains(day) {
          cells[column(of: day)] = character(.workout)
        }
      }
      for mark in strip.marks where strip.days.contains(mark.day) {
        cells[column(of: mark.day)] = character(mark.kind.symbol)
      }
    }
  }

  /// A line for each alert of other days.
  private var alertLines: [String] {
    var drawn: [SeriesStrip.Span] = []
    return strips.lanes.flatMap { lane in
      lane.strip.episodes.flatMap { span -> [String] in
        guard let days = lane.strip.drawnDays(of: span),
          !drawn.contains(where: { $0.days == span.days })
        else { return [] }
        drawn.append(span)
        return self.lane("alert") { cells in
          for day in days { cells[column(of: day)] = isASCII ? "=" : "━" }
          for step in span.levels where days.contains(step.day) {
            for (offset, digit) in "\(step.level.rawValue)".enumerated() {
              let place = column(of: step.day) + offset
              if place < columns { cells[place] = digit }
            }
          }
        }
      }
    }
  }

  private var markLine: [String] {
    lane("sent") { cells in
      for mark in strips.marks where strips.days.contains(mark.day) {
        cells[column(of: mark.day)] = character(mark.kind.symbol)
      }
    }
  }

  private var dates: String {
    TerminalLines.dates(
      strips.days, margin: Self.margin, room: room, most: max(2, columns / 9),
      column: column(of:))
  }

  private var legend: [String] {
    var entries: [String] = []
    if case .spreads(let limit) = strips.axis {
      entries.append("personal spreads; up is worse")
      entries.append("a day counts \(ChartNumber.place(limit)) at most")
    }
    var symbols = ChartSymbol.absences.filter { symbol in
      strips.lanes.contains { $0.strip.readings.contains { $0.symbol == symbol } }
    }
    let hasWorkout = strips.lanes.contains { lane in
      zip(lane.strip.days, lane.strip.readings).contains {
        $1.value != nil && lane.strip.workouts.contains($0)
      }
    }
    if hasWorkout { symbols.append(.workout) }
    let marks = (strips.marks + strips.lanes.flatMap(\.strip.marks)).filter {
      strips.days.contains($0.day)
    }
    symbols += SeriesStrip.Mark.Kind.allCases.filter { kind in marks.contains { $0.kind == kind } }
      .map { $0.symbol }
    entries += symbols.map { "\(character($0)) \($0.words)" }
    return TerminalLines.wrapped(entries, indent: Self.margin, room: room + Self.margin)
  }
}
