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
      title: label, description: description, width: StripPlot.width, height: StripPlot.height
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

/// The places of a strip in its drawing.
private struct StripPlot {
  static let (width, height) = (440.0, 186.0)
  private static let (left, right) = (44.0, 400.0)
  private static let (levelLine, markLine) = (10.0, 24.0)
  private static let (top, bottom) = (34.0, 146.0)
  private static let (absenceLine, dateLine) = (157.0, 178.0)

  private let strip: SeriesStrip
  private let scale: ValueScale
  private let step: Double
  /// Whether an episode that is drawn has a baseline.
  private let hasFrozenUsual: Bool

  init(_ strip: SeriesStrip) {
    self.strip = strip
    var values = strip.values
    for span in strip.episodes {
      guard let usual = span.usual, strip.drawnDays(of: span) != nil else { continue }
      values += usual.values
    }
    hasFrozenUsual = values.count > strip.values.count
    if !hasFrozenUsual, let usual = strip.usual { values += usual.values }
    scale = ValueScale(holding: values)
    step = (Self.right - Self.left) / Double(strip.readings.count)
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
      text.rect("band", x: Self.left, y: top, width: Self.right - Self.left, height: bottom - top)
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
        guard place - free >= 14 else { continue }
        text.label(
          "\(step.level.rawValue)", "is-edge", x: place, y: Self.levelLine + 1, anchor: .middle)
        free = place
      }
    }
  }

  func drawAxes(into text: inout SVGText) {
    for tick in scale.ticks {
      text.line("grid", x1: Self.left, y1: down(tick), x2: Self.right, y2: down(tick))
      text.label(
        ChartNumber.value(tick), "tick", x: Self.left - 6, y: down(tick) + 4, anchor: .end)
    }
    text.line("axis", x1: Self.left, y1: Self.bottom, x2: Self.right, y2: Self.bottom)
    for day in DayAxis.labelled(strip.days, most: 6) where across(day) - Self.left > 14 {
      text.line("axis", x1: across(day), y1: Self.bottom, x2: across(day), y2: Self.bottom + 4)
      text.label(day.shortText, "tick", x: across(day), y: Self.dateLine, anchor: .middle)
    }
  }

  func drawValues(into text: inout SVGText) {
    if !hasFrozenUsual, let usual = strip.usual {
      text.line(
        "usual", x1: Self.left, y1: down(usual.value), x2: Self.right, y2: down(usual.value))
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

  /// The latest mean and the baseline, beside the ends of their lines.
  func drawEndLabels(into text: inout SVGText) {
    let mean = strip.latestMean
    let usual = strip.latestUsual?.value
    var meanPlace = mean.map { down($0) + 4 }
    var usualPlace = usual.map { down($0) + 4 }
    if let first = meanPlace, let second = usualPlace, abs(first - second) < 13 {
      let (middle, isMeanAbove) = ((first + second) / 2, first <= second)
      meanPlace = middle + (isMeanAbove ? -6.5 : 6.5)
      usualPlace = middle + (isMeanAbove ? 6.5 : -6.5)
    }
    let x = Self.right + 5
    if let usual, let usualPlace {
      text.label(ChartNumber.value(usual), "is-usual", x: x, y: usualPlace)
    }
    if let mean, let meanPlace {
      text.label(ChartNumber.value(mean), "is-mean", x: x, y: meanPlace)
    }
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
