import VigilModel

extension SeriesStrip {
  /// The strip in words, for readers who do not see it.
  var description: String {
    let values = values
    var known = [
      "count": "\(values.count)", "days": "\(readings.count)",
      "day": language.long(days.upperBound),
    ]
    var sentences: [String] = []
    if let low = values.min(), let high = values.max() {
      known["low"] = text(of: low)
      known["high"] = text(of: high) + (unit.isEmpty ? "" : " \(unit)")
      sentences.append(language.text(.values, known))
    } else {
      sentences.append(language.text(.noValues, known))
    }
    if let mean = latestMean {
      sentences.append(
        language.text(.mean, ["value": text(of: mean.value)])
          + language.onDay(mean.day, before: days.upperBound) + ".")
    }
    for span in episodes where drawnDays(of: span) != nil {
      let beginning: ChartText =
        switch span.pattern {
        case .drop: .drop
        case .belowLimit: .belowLimit
        case .aboveLimit: .aboveLimit
        case .rise, .worse, .silence, .medication: .rise
        }
      sentences.append(span.description(beginning, in: language, value: text))
    }
    for kind in Mark.Kind.allCases {
      let count = marks.count { $0.kind == kind && days.contains($0.day) }
      if count > 0 { sentences.append(kind.sentence(count, in: language)) }
    }
    return sentences.joined(separator: " ")
  }
}

extension SeriesStrip.Span {
  /// The span in a sentence that begins as `beginning` says.
  func description(
    _ beginning: ChartText, in language: ChartLanguage, value: (Double) -> String
  ) -> String {
    var text = language.text(beginning, ["day": language.long(activeSince)])
    if let step = levels.last {
      text += language.text(.atLevel, ["level": "\(step.level.rawValue)"])
    }
    if let usual, beginning != .alert {
      text += language.text(
        pattern.isOfLimit ? .againstLimit : .against, ["value": value(usual.value)])
    }
    if let resolvedOn { text += language.text(.ended, ["day": language.long(resolvedOn)]) }
    return text + "."
  }
}

extension SeriesStrip.Mark.Kind {
  func sentence(_ count: Int, in language: ChartLanguage) -> String {
    let (one, many): (ChartText, ChartText) =
      switch self {
      case .deviceChange: (.deviceChange, .deviceChanges)
      case .sent: (.sent, .sentMany)
      case .withheld: (.withheld, .withheldMany)
      }
    return language.text(count == 1 ? one : many, ["count": "\(count)"])
  }
}
