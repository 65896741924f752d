import VigilModel

extension SeriesStrip {
  /// The strip as a drawing: dots, mean of seven days, baseline and band, episodes and marks.
  ///
  /// It is made for a width between 340 and 560 pixels.
  ///
  /// ```swift
  /// guard let day = Day("2026-06-28") else { return }
  /// let strip = SeriesStrip(
  ///   label: "sleep", unit: "min", days: day...day + 1, readings: [.value(431), .noRow])
  /// print(strip.drawing.inline(id: "sleep-1").hasPrefix("<svg class=\"chart\""))  // true
  /// ```
  public var drawing: Drawing {
    Drawing(
      title: label, description: description, width: StripPlot.width, height: StripPlot.height,
      heading: heading, legend: legend
    ) { text in
      let plot = StripPlot(self)
      plot.drawEpisodes(into: &text)
      plot.drawAxes(into: &text)
      plot.drawValues(into: &text)
      plot.drawMarks(into: &text)
      plot.drawEndLabels(into: &text)
    }
  }
}

extension SeriesStrip {
  /// The series, its unit and the days that are drawn: `sleep, min; 22 Apr 2026 to 20 Jun 2026`.
  private var heading: String {
    label + (unit.isEmpty ? "" : ", \(unit)")
      + "; \(days.lowerBound.longText) to \(days.upperBound.longText)"
  }

  /// The meaning of its lines, areas and symbols.
  private var legend: [Drawing.LegendEntry] {
    var entries: [Drawing.LegendEntry] = []
    if recent != nil { entries.append(.line("now", "value of now")) }
    if means.contains(where: { $0 != nil }) { entries.append(.line("mean", "mean of 7 days")) }
    if latestUsual != nil { entries.append(.line("usual", "usual")) }
    if latestUsual?.band != nil { entries.append(.area("band", "range of usual days")) }
    if episodes.contains(where: { drawnDays(of: $0) != nil }) {
      entries.append(.area("episode", "days of an alert, with its levels"))
    }
    return entries + symbols.map(Drawing.LegendEntry.symbol)
  }

  /// The symbols that are drawn.
  var symbols: [ChartSymbol] {
    var drawn = Set(readings.compactMap(\.symbol))
    if !values.isEmpty { drawn.insert(.value) }
    if zip(days, readings).contains(where: { $1.value != nil && workouts.contains($0) }) {
      drawn.insert(.workout)
    }
    for mark in marks where days.contains(mark.day) { drawn.insert(mark.kind.symbol) }
    return ChartSymbol.allCases.filter(drawn.contains)
  }
}

/// The places of a strip in its drawing.
private struct StripPlot {
  static let (width, height) = (440.0, 186.0)
  private static let left = 48.0
  private static let (levelLine, markLine) = (10.0, 24.0)
  private static let (top, bottom) = (34.0, 146.0)
  private static let (absenceLine, dateLine) = (157.0, 178.0)
  /// About the width of a letter, more rather than less.
  private static let letter = 7.0

  private let strip: SeriesStrip
  private let scale: ValueScale
  private let step: Double
  /// The end of the plot; durations beside it are longer than other values.
  private let right: Double
  /// Whether an episode that is drawn has a baseline.
  private let hasFrozenUsual: Bool

  init(_ strip: SeriesStrip) {
    self.strip = strip
    var values = strip.values
    let own = values.count
    for span in strip.episodes {
      guard let usual = span.usual, strip.drawnDays(of: span) != nil else { continue }
      values += usual.values
    }
    hasFrozenUsual = values.count > own
    if !hasFrozenUsual, let usual = strip.usual { values += usual.values }
    if let recent = strip.recent { values.append(recent.value) }
    right = strip.isDuration ? 366 : 392
    scale = strip.scale(holding: values)
    step = (right - Self.left) / Double(strip.readings.count)
  }

  private func across(_ day: Day) -> Double {
    Self.left + (Double(day - strip.days.lowerBound) + 0.5) * step
  }

  private func down(_ value: Double) -> Double {
    Self.bottom - scale.place(value) * (Self.bottom - Self.top)
  }

  func drawEpisodes(into text: inout SVGText) {
    if !hasFrozenUsual, let band = strip.usual?.band {
      let (top, bottom) = (down(band.upperBound), down(band.lowerBound))
      text.rect("band", x: Self.left, y: top, width: right - Self.left, height: bottom - top)
    }
    for span in strip.episodes {
      guard let days = strip.drawnDays(of: span) else { continue }
      let first = across(days.lowerBound) - step / 2
      let last = across(days.upperBound) + step / 2
      text.rect(
        "episode", x: first, y: Self.levelLine + 4, width: last - first,
        height: Self.bottom - Self.levelLine - 4)
      if let band = span.usual?.band {
        let (top, bottom) = (down(band.upperBound), down(band.lowerBound))
        text.rect("band", x: Self.left, y: top, width: last - Self.left, height: bottom - top)
      }
      if span.activeSince >= strip.days.lowerBound {
        text.line("edge", x1: first, y1: Self.levelLine + 4, x2: first, y2: Self.bottom)
      }
      var free = Self.left - 20
      for step in span.levels where days.contains(step.day) {
        let place = across(step.day)
        text.line("edge", x1: place, y1: Self.levelLine + 4, x2: place, y2: Self.levelLine + 9)
        // A label that would stand in the one before moves aside; its tick does not.
        free = max(place, free + 14)
        text.label(
          "\(step.level.rawValue)", "is-edge", x: free, y: Self.levelLine + 1, anchor: .middle)
      }
    }
  }

  func drawAxes(into text: inout SVGText) {
    for tick in scale.ticks {
      text.line("grid", x1: Self.left, y1: down(tick), x2: right, y2: down(tick))
      text.label(
        strip.text(ofTick: tick, on: scale), "tick", x: Self.left - 6, y: down(tick) + 4,
        anchor: .end)
    }
    text.line("axis", x1: Self.left, y1: Self.bottom, x2: right, y2: Self.bottom)
    for day in DayAxis.labelled(strip.days, most: 6) where across(day) - Self.left > 14 {
      text.line("axis", x1: across(day), y1: Self.bottom, x2: across(day), y2: Self.bottom + 4)
      text.label(
        strip.language.short(day), "tick", x: across(day), y: Self.dateLine, anchor: .middle)
    }
  }

  func drawValues(into text: inout SVGText) {
    if !hasFrozenUsual, let usual = strip.usual {
      text.line(
        "usual", x1: Self.left, y1: down(usual.value), x2: right, y2: down(usual.value))
    }
    for span in strip.episodes {
      guard let usual = span.usual, let days = strip.drawnDays(of: span) else { continue }
      text.line(
        "usual", x1: Self.left, y1: down(usual.value),
        x2: across(days.upperBound) + step / 2, y2: down(usual.value))
    }
    var mean = ""
    var isDrawing = false
    for (day, value) in zip(strip.days, strip.means) {
      guard let value else {
        isDrawing = false
        continue
      }
      mean += "\(isDrawing ? "L" : "M")\(across(day).placed) \(down(value).placed)"
      isDrawing = true
    }
    text.path("mean", mean)
    var dots = ""
    var workouts = ""
    for (day, reading) in zip(strip.days, strip.readings) {
      guard let value = reading.value, value.isFinite else { continue }
      dots += ChartSymbol.value.path(x: across(day), y: down(value))
      if strip.workouts.contains(day) {
        workouts += ChartSymbol.workout.path(x: across(day), y: down(value))
      }
    }
    text.path("dots", dots)
    text.path("hollow", workouts)
    if let recent = strip.recent, strip.days.overlaps(recent.days) {
      let days = recent.days.clamped(to: strip.days)
      text.line(
        "now", x1: across(days.lowerBound) - step / 2, y1: down(recent.value),
        x2: across(days.upperBound) + step / 2, y2: down(recent.value))
    }
  }

  func drawMarks(into text: inout SVGText) {
    for kind in SeriesStrip.Mark.Kind.allCases {
      var path = ""
      for mark in strip.marks where mark.kind == kind && strip.days.contains(mark.day) {
        path += kind.symbol.path(x: across(mark.day), y: Self.markLine)
      }
      text.path(kind.symbol.style, path)
    }
    for symbol in ChartSymbol.absences {
      var path = ""
      for (day, reading) in zip(strip.days, strip.readings) where reading.symbol == symbol {
        path += symbol.path(x: across(day), y: Self.absenceLine)
      }
      text.path(symbol.style, path)
    }
  }

  /// The value of now, or else the latest mean, and the baseline, beside the ends of their lines.
  func drawEndLabels(into text: inout SVGText) {
    let now = newest
    let usual = strip.latestUsual?.value
    var nowPlace = now.map { down($0.value) + 4 }
    var usualPlace = usual.map { down($0) + 4 }
    if let now, now.day == strip.days.upperBound, let first = nowPlace, let second = usualPlace,
      abs(first - second) < 13
    {
      let (middle, isNowAbove) = ((first + second) / 2, first <= second)
      nowPlace = middle + (isNowAbove ? -6.5 : 6.5)
      usualPlace = middle + (isNowAbove ? 6.5 : -6.5)
    }
    if let usual, let usualPlace {
      text.label(strip.text(of: usual), "is-usual", x: right + 5, y: usualPlace)
    }
    if let now, let nowPlace {
      // An old value stands where its line ends, with its day.
      let isOld = now.day < strip.days.upperBound
      let label =
        strip.text(of: now.value) + (isOld ? ", \(strip.language.short(now.day))" : "")
      let farthest = isOld ? Self.width - Self.letter * Double(label.count) : right + 5
      text.label(label, "is-mean", x: min(across(now.day) + 5, farthest), y: nowPlace)
    }
  }

  /// The end of the line that is labelled.
  private var newest: (day: Day, value: Double)? {
    guard let recent = strip.recent else { return strip.latestMean }
    return (min(recent.days.upperBound, strip.days.upperBound), recent.value)
  }
}

extension SeriesStrip.Mark.Kind {
  var symbol: ChartSymbol {
    switch self {
    case .deviceChange: .deviceChange
    case .sent: .sent
    case .withheld: .withheld
    }
  }
}

extension SeriesStrip.Reading {
  /// The symbol of a day without a value; nil for a day with one.
  var symbol: ChartSymbol? {
    switch self {
    case .value: nil
    case .noRow: .noRow
    case .noValue: .noValue
    case .notWorn: .notWorn
    case .partWorn: .partWorn
    case .implausible: .implausible
    }
  }
}
