public import VigilModel

/// The doses of one person day by day, as a calendar of weeks.
///
/// ```swift
/// guard let day = Day("2026-06-28") else { return }
/// let calendar = AdherenceCalendar(days: day...day + 2, taken: [1, nil, 0.5])
/// print(calendar.drawing.description)  // 1 of 2 days with expected doses have all of them taken.
/// ```
public struct AdherenceCalendar: Hashable, Sendable {
  public let days: ClosedRange<Day>
  /// The share of the expected doses that was taken, 0 to 1; nil on days without expected doses.
  public let taken: [Double?]
  /// Days on which no dose was missed: those that were not taken were skipped.
  public var skipped: Set<Day> = []
  /// The words of its texts and the form of its dates.
  public var language = ChartLanguage.english

  public init(days: ClosedRange<Day>, taken: [Double?]) {
    precondition(taken.count == days.upperBound - days.lowerBound + 1)
    self.days = days
    self.taken = taken
  }

  /// The marks of doses that were not taken, as far as they are drawn.
  public var kinds: [DoseLanes.Mark] {
    let drawn = Set(
      zip(days, taken).compactMap { day, share in share.flatMap { mark(of: $0, on: day) } })
    return DoseLanes.Mark.allCases.filter(drawn.contains)
  }

  /// The mark in the part of a cell that is not filled; nil where that has no room.
  private func mark(of share: Double, on day: Day) -> DoseLanes.Mark? {
    guard share.isFinite, share <= Self.mostWithMark else { return nil }
    return skipped.contains(day) ? .skipped : .missed
  }

  private static let mostWithMark = 0.5

  /// The calendar as a drawing: weeks from left to right, Monday at the top.
  ///
  /// A cell is filled from below by the share that was taken; above it a mark says whether the rest was missed or
  /// skipped, in the shapes of `DoseLanes`. Days without expected doses have no cell.
  public var drawing: Drawing {
    let (left, top, size) = (34.0, 18.0, 16.0)
    func row(_ day: Day) -> Int { (day.weekday + 6) % 7 }
    let firstMonday = days.lowerBound - row(days.lowerBound)
    func column(_ day: Day) -> Int { (day - firstMonday) / 7 }
    let columns = column(days.upperBound) + 1
    let known = taken.compactMap(\.self)
    let full = known.count { $0 >= 1 - 1e-9 }
    return Drawing(
      title: language.text(.calendarTitle),
      description: language.text(.fullDays, ["count": "\(full)", "days": "\(known.count)"]),
      width: max(440, left + Double(columns) * size + 4), height: top + 7 * size + 4
    ) { text in
      for weekday in [0, 2, 4, 6] {
        text.label(
          language.weekdays[weekday], "tick", x: 0, y: top + Double(weekday) * size + 12)
      }
      var labelled = -4
      var (frames, fills) = ("", "")
      var marks: [DoseLanes.Mark: String] = [:]
      for (day, share) in zip(days, taken) {
        let x = left + Double(column(day)) * size
        let y = top + Double(row(day)) * size
        if row(day) == 0, column(day) - labelled >= 4 {
          text.label(language.short(day), "tick", x: x, y: 11)
          labelled = column(day)
        }
        guard let share, share.isFinite else { continue }
        frames += Self.box(x: x + 1, y: y + 1, width: size - 2, height: size - 2)
        let height = (size - 4) * min(max(share, 0), 1)
        if height > 0 {
          fills += Self.box(
            x: x + 2, y: y + size - 2 - height, width: size - 4, height: height)
        }
        if let mark = mark(of: share, on: day) {
          marks[mark, default: ""] += mark.path(
            x: x + size / 2, y: y + 2 + (size - 4 - height) / 2)
        }
      }
      text.path("frame", frames)
      text.path("good", fills)
      for mark in kinds { text.path(mark.style, marks[mark] ?? "") }
    }
  }

  private static func box(x: Double, y: Double, width: Double, height: Double) -> String {
    "M\(x.placed) \(y.placed)h\(width.placed)v\(height.placed)h-\(width.placed)Z"
  }
}
