import VigilModel

/// Lines that charts in a terminal share.
enum TerminalLines {
  /// The labels of days below their columns; the newest day has its label whatever happens to the others.
  ///
  /// - Parameters:
  ///   - days: The days of the chart.
  ///   - margin: Columns before the first day.
  ///   - room: Columns after the margin.
  ///   - most: Labels at most.
  ///   - column: The column of a day, from the margin on.
  static func dates(
    _ days: ClosedRange<Day>, margin: Int, room: Int, most: Int, column: (Day) -> Int
  ) -> String {
    var line = Array(repeating: Character(" "), count: margin + room)
    var free = line.count + 1
    for day in DayAxis.labelled(days, most: most).reversed() {
      let label = day.shortText
      let end = margin + column(day) + 1
      let start = end - label.count
      guard start >= 0, end < free else { continue }
      for (offset, character) in label.enumerated() { line[start + offset] = character }
      free = start - 1
    }
    return String(line)
  }

  /// The entries beside each other, in as many lines as the width asks for.
  ///
  /// - Parameters:
  ///   - entries: Texts that are not broken.
  ///   - indent: Spaces before each line.
  ///   - room: Columns of a line, the indent among them.
  static func wrapped(_ entries: [String], indent: Int = 0, room: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    let most = room - indent
    var lines: [String] = []
    for entry in entries {
      let entry = String(entry.prefix(most))
      if let last = lines.last, last.count + 3 + entry.count <= most {
        lines[lines.count - 1] = last + "   " + entry
      } else {
        lines.append(entry)
      }
    }
    return lines.map { space + $0 }
  }
}

extension String {
  /// With spaces in front, so many characters wide.
  func leading(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  func trimmingEnd() -> String {
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return String(self[...last])
  }
}
