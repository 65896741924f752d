import VigilModel

extension SeriesStrip {
  /// The characters that a terminal can show.
  public enum TerminalCharacters: Sendable {
    /// Braille, two dots wide and four dots high.
    case braille
    case ascii
  }

  /// The chart as lines of text, without colour and with a line break at the end.
  ///
  /// Where the width does not hold all days, the oldest ones are left out.
  ///
  /// - Parameters:
  ///   - width: Columns at most; 40 or more.
  ///   - rows: Lines of the plot itself; 4 or more.
  ///   - characters: The characters that the terminal can show.
  public func terminalText(
    width: Int = 80, rows: Int = 10, characters: TerminalCharacters = .braille
  ) -> String {
    let margin = TerminalStrip.labelWidth + 2
    let room = max(40, width) - margin
    let fits = characters == .braille && readings.count > room ? room * 2 : room
    return TerminalStrip(suffix(days: fits), room: room, rows: max(4, rows), characters).text
  }
}

/// A strip whose days all fit.
private struct TerminalStrip {
  static let labelWidth = 7

  private let strip: SeriesStrip
  private let scale: ValueScale
  private let rows: Int
  private let room: Int
  private let isASCII: Bool
  /// Two in a character, or one.
  private let daysPerColumn: Int
  private let columns: Int

  init(
    _ strip: SeriesStrip, room: Int, rows: Int, _ characters: SeriesStrip.TerminalCharacters
  ) {
    self.strip = strip
    self.rows = rows
    self.room = room
    isASCII = characters == .ascii
    daysPerColumn = strip.readings.count > room ? 2 : 1
    columns = (strip.readings.count + daysPerColumn - 1) / daysPerColumn
    let usual = strip.latestUsual
    scale = strip.scale(
      holding: strip.values
        + [usual?.value, usual?.band?.lowerBound, usual?.band?.upperBound].compactMap(\.self))
  }

  private func column(of day: Day) -> Int { (day - strip.days.lowerBound) / daysPerColumn }

  /// The row of a value among so many, from the top.
  private func row(of value: Double, among count: Int) -> Int {
    min(count - 1, max(0, Int(clamping: (1 - scale.place(value)) * Double(count))))
  }

  var text: String {
    let unit = strip.unit.isEmpty ? "" : ", \(strip.unit)"
    var lines = TerminalLines.wrapped(
      ["\(strip.label)\(unit)".terminalSafe], room: Self.labelWidth + 2 + room)
    lines += plot
    lines += lanes
    lines.append(dates)
    lines += legend
    return lines.map { $0.trimmingEnd() }.joined(separator: "\n") + "\n"
  }

  private var plot: [String] {
    var canvas = BrailleCanvas(columns: columns, rows: rows)
    var marks = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows)
    drawUsual(into: &marks)
    for (index, reading) in strip.readings.enumerated() {
      guard let value = reading.value, value.isFinite else { continue }
      if isASCII {
        marks[row(of: value, among: rows)][index] = "*"
      } else {
        let y = row(of: value, among: rows * 4)
        let x = index * 2 / daysPerColumn
        canvas.set(x: x, y: y)
        if daysPerColumn == 1 { canvas.set(x: x + 1, y: y) }
      }
    }
    let labels = Dictionary(
      scale.ticks.map { (row(of: $0, among: rows), strip.text(ofTick: $0, on: scale)) },
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

  private func drawUsual(into marks: inout [[Character]]) {
    guard let usual = strip.latestUsual else { return }
    func draw(_ value: Double, _ character: Character) {
      let row = row(of: value, among: rows)
      for column in 0..<columns { marks[row][column] = character }
    }
    if let band = usual.band {
      draw(band.lowerBound, isASCII ? "." : "┈")
      draw(band.upperBound, isASCII ? "." : "┈")
    }
    draw(usual.value, isASCII ? "-" : "─")
  }

  private var absences: [ChartSymbol] {
    ChartSymbol.absences.filter { symbol in
      strip.readings.contains { $0.symbol == symbol }
    }
  }

  private var marks: [SeriesStrip.Mark] { strip.marks.filter { strip.days.contains($0.day) } }

  private func character(_ symbol: ChartSymbol) -> Character {
    isASCII ? symbol.character.ascii : symbol.character.unicode
  }

  /// The lines below the plot: days without a value, workouts, episodes and marks.
  private var lanes: [String] {
    let rule =
      isASCII
      ? "+" + String(repeating: "-", count: columns)
      : "└" + String(repeating: "─", count: columns)
    var lines = [String(repeating: " ", count: Self.labelWidth + 1) + rule]
    func lane(_ name: String, _ fill: (inout [Character]) -> Void) {
      var cells = Array(repeating: Character(" "), count: columns)
      fill(&cells)
      guard cells.contains(where: { $0 != " " }) else { return }
      lines.append("\(name.leading(Self.labelWidth))  \(String(cells))")
    }
    lane("alert") { cells in
      for span in strip.episodes {
        guard let days = strip.drawnDays(of: span) else { continue }
        for day in days { cells[column(of: day)] = isASCII ? "=" : "━" }
        for step in span.levels where days.contains(step.day) {
          for (offset, digit) in "\(step.level.rawValue)".enumerated() {
            let place = column(of: step.day) + offset
            if place < columns { cells[place] = digit }
          }
        }
      }
    }
    lane("sent") { cells in
      for mark in marks { cells[column(of: mark.day)] = character(mark.kind.symbol) }
    }
    lane("data") { cells in
      for (day, reading) in zip(strip.days, strip.readings) {
        if let symbol = reading.symbol {
          cells[column(of: day)] = character(symbol)
        } else if strip.workouts.contains(day) {
          cells[column(of: day)] = character(.workout)
        }
      }
    }
    return lines
  }

  private var dates: String {
    TerminalLines.dates(
      strip.days, margin: Self.labelWidth + 2, room: room, most: max(2, columns / 9),
      column: column(of:))
  }

  private var legend: [String] {
    var entries: [String] = []
    if let usual = strip.latestUsual {
      entries.append(
        "\(isASCII ? "-" : "─") \(strip.drawsLimit ? "limit" : "usual") \(strip.text(of: usual.value))"
      )
      if let band = usual.band {
        let low = strip.text(of: band.lowerBound)
        entries.append(
          "\(isASCII ? "." : "┈") personal band \(low) to \(strip.text(of: band.upperBound))")
      }
    }
    if let mean = strip.latestMean {
      entries.append(
        "mean of 7 days \(strip.text(of: mean.value))\(strip.language.onDay(mean.day, before: strip.days.upperBound))"
      )
    }
    var symbols = absences
    if strip.readings.indices.contains(where: {
      strip.readings[$0].value != nil && strip.workouts.contains(strip.days.lowerBound + $0)
    }) {
      symbols.append(.workout)
    }
    symbols += SeriesStrip.Mark.Kind.allCases.filter { kind in marks.contains { $0.kind == kind } }
      .map(\.symbol)
    entries += symbols.map { "\(character($0)) \($0.words)" }
    return TerminalLines.wrapped(
      entries, indent: Self.labelWidth + 2, room: Self.labelWidth + 2 + room)
  }
}
