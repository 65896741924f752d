import VigilModel

extension Day {
  /// `28 Jun`.
  var shortText: String { ChartLanguage.english.short(self) }

  /// `28 Jun 2026`.
  var longText: String { ChartLanguage.english.long(self) }
}

/// The labels of an axis of days.
enum DayAxis {
  /// Days with a label, the last one among them, at most `most` and at equal distances.
  static func labelled(_ days: ClosedRange<Day>, most: Int) -> [Day] {
    let count = days.upperBound - days.lowerBound + 1
    let step =
      [1, 2, 7, 14, 28, 56, 91, 182, 364].first { (count - 1) / $0 + 1 <= most }
      ?? max(1, count / max(most, 1) + 1)
    return stride(from: days.upperBound, through: days.lowerBound, by: -step).reversed()
  }
}
