import VigilModel

extension StackedStrips {
  /// The strips as a drawing; it is made for a width between 340 and 560 pixels.
  public var drawing: Drawing {
    let plot = StackPlot(self)
    return Drawing(
      title: title, description: description, width: StackPlot.width, height: plot.height,
      subheading: subheading, legend: legend
    ) { text in
      for index in lanes.indices { plot.drawEpisodes(ofLane: index, into: &text) }
      for index in lanes.indices {
        plot.drawAxis(ofLane: index, into: &text)
        plot.drawValues(ofLane: index, into: &text)
        plot.drawMarks(ofLane: index, into: &text)
        plot.drawHeading(ofLane: index, into: &text)
      }
      plot.drawEvents(into: &text)
      plot.drawDays(into: &text)
    }
  }
}

extension StackedStrips {
  /// The axis and the days, which would not fit beside the title.
  private var subheading: String {
    let unit = axis == .points ? "points" : "personal spreads from usual, up is worse"
    return "\(unit); \(days.lowerBound.longText) to \(days.upperBound.longText)"
  }

  private var legend: [Drawing.LegendEntry] {
    var symbols = Set(lanes.flatMap(\.strip.symbols))
    for mark in marks where days.contains(mark.day) { symbols.insert(mark.kind.symbol) }
    var entries = [Drawing.LegendEntry.line("mean", "mean of 7 days")]
    if axis != .points {
      entries += [.line("usual", "usual"), .area("band", "range of usual days")]
    }
    if lanes.contains(where: { lane in
      lane.strip.episodes.contains { lane.strip.drawnDays(of: $0) != nil }
    }) {
      entries.append(.area("episode", "days of an alert, with its levels"))
    }
    return entries
      + ChartSymbol.allCases.filter(symbols.contains).map(Drawing.LegendEntry.symbol)
  }
}

/// The places of stacked strips in their drawing; days stand where those of a strip alone do.
private struct StackPlot {
  static let width = 440.0
  private static let (left, right) = (44.0, 400.0)
  private static let (levelLine, markLine) = (10.0, 24.0)
  private static let (heading, plot, absence) = (17.0, 48.0, 11.0)

  private let strips: StackedStrips
  private let top: Double
  private let step: Double

  init(_ strips: StackedStrips) {
    self.strips = strips
    let hasEvents = !strips.marks.isEmpty || strips.lanes.contains { !$0.strip.episodes.isEmpty }
    top = hasEvents ? 30 : 0
    step = (Self.right - Self.left) / Double(strips.lanes[0].strip.readings.count)
  }

  private var laneHeight: Double { Self.heading + Self.plot + Self.absence }
  private var floor: Double { top + Double(strips.lanes.count) * laneHeight }
  var height: Double { floor + 20 }

  private func head(_ lane: Int) -> Double { top + Double(lane) * laneHeight }

  private func across(_ day: Day) -> Double {
    Self.left + (Double(day - strips.days.lowerBound) + 0.5) * step
  }

  private func down(_ value: Double, _ lane: Int) -> Double {
    let range = strips.axis.range
    let value = min(max(value, range.lowerBound), range.upperBound)
    let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return head(lane) + Self.heading + (1 - share) * Self.plot
  }

  /// The days of an alert are shaded over the whole lane, so that those of one alert are one area.
  func drawEpisodes(ofLane index: Int, into text: inout SVGText) {
    let strip = strips.lanes[index].strip
    for span in strip.episodes {
      guard let days = strip.drawnDays(of: span) else { continue }
      let first = across(days.lowerBound) - step / 2
      let last = across(days.upperBound) + step / 2
      let begin = index == 0 ? Self.levelLine + 4 : head(index)
      let end = head(index) + laneHeight
      text.rect("episode", x: first, y: begin, width: last - first, height: end - begin)
      if span.activeSince >= strip.days.lowerBound {
        text.line("edge", x1: first, y1: begin, x2: first, y2: end)
      }
      guard index == 0 || !isDrawnAbove(span, index) else { continue }
      var free = index == 0 ? Self.left - 20 : headingEnd(index)
      for step in span.levels where days.contains(step.day) {
        let place = across(step.day)
        // A label that would stand in the one before moves aside; its tick does not.
        free = max(place, free + 14)
        text.label(
          "\(step.level.rawValue)", "is-edge", x: free,
          y: index == 0 ? Self.levelLine + 1 : head(index) + 12, anchor: .middle)
        if index == 0 {
          text.line(
            "edge", x1: place, y1: Self.levelLine + 4, x2: place, y2: Self.levelLine + 9)
        }
      }
    }
  }

  private func isDrawnAbove(_ span: SeriesStrip.Span, _ index: Int) -> Bool {
    strips.lanes[..<index].contains { $0.strip.episodes.contains { $0.days == span.days } }
  }

  func drawAxis(ofLane index: Int, into text: inout SVGText) {
    let axis = strips.axis
    if case .spreads = axis {
      let band = (down(1, index), down(-1, index))
      text.rect(
        "band", x: Self.left, y: band.0, width: Self.right - Self.left, height: band.1 - band.0)
    }
    for tick in axis.ticks {
      let y = down(tick, index)
      let isUsual = axis != .points && tick == 0
      text.line(isUsual ? "usual" : "grid", x1: Self.left, y1: y, x2: Self.right, y2: y)
      text.label(
        axis.label(tick, in: strips.language), "small", x: Self.left - 6, y: y + 4, anchor: .end)
    }
    // The baseline of a trend in points.
    if axis == .points, let usual = strips.lanes[index].strip.usual {
      let y = down(usual.value, index)
      text.line("usual", x1: Self.left, y1: y, x2: Self.right, y2: y)
    }
  }

  func drawValues(ofLane index: Int, into text: inout SVGText) {
    let strip = strips.lanes[index].strip
    var mean = ""
    var isDrawing = false
    for (day, value) in zip(strip.days, strip.means) {
      guard let value else {
        isDrawing = false
        continue
      }
      mean += "\(isDrawing ? "L" : "M")\(across(day).placed) \(down(value, index).placed)"
      isDrawing = true
    }
    text.path("mean", mean)
    var (dots, workouts) = ("", "")
    for (day, reading) in zip(strip.days, strip.readings) {
      guard let value = reading.value, value.isFinite else { continue }
      let y = down(value, index)
      dots += ChartSymbol.value.path(x: across(day), y: y)
      if strip.workouts.contains(day) {
        workouts += ChartSymbol.workout.path(x: across(day), y: y)
      }
    }
    text.path("dots", dots)
    text.path("hollow", workouts)
    if let latest = strip.latestMean {
      // An old mean stands where its line ends, with its day.
      let isOld = latest.day < strip.days.upperBound
      text.label(
        strips.axis.text(latest.value, in: strips.language)
          + (isOld ? ", \(strips.language.short(latest.day))" : ""), "is-mean",
        x: min(across(latest.day) + 5, isOld ? Self.right - 30 : Self.right + 5),
        y: down(latest.value, index) + 4)
    }
  }

  func drawMarks(ofLane index: Int, into text: inout SVGText) {
    let strip = strips.lanes[index].strip
    let line = head(index) + Self.heading + Self.plot + 5
    for symbol in ChartSymbol.absences {
      var path = ""
      for (day, reading) in zip(strip.days, strip.readings) where reading.symbol == symbol {
        path += symbol.path(x: across(day), y: line)
      }
      text.path(symbol.style, path)
    }
    for kind in SeriesStrip.Mark.Kind.allCases {
      var path = ""
      for mark in strip.marks where mark.kind == kind && strip.days.contains(mark.day) {
        path += kind.symbol.path(x: across(mark.day), y: line)
      }
      text.path(kind.symbol.style, path)
    }
  }

  func drawHeading(ofLane index: Int, into text: inout SVGText) {
    let lane = strips.lanes[index]
    text.heading(lane.strip.label, note: lane.note, x: Self.left, y: head(index) + 12)
  }

  private func headingEnd(_ index: Int) -> Double {
    let lane = strips.lanes[index]
    return Self.left + Self.textWidth(lane.strip.label, isStrong: true) + 8
      + Self.textWidth(lane.note, isStrong: false)
  }

  /// About what fonts of 12 pixels take; no page knows its font beforehand.
  private static func textWidth(_ text: String, isStrong: Bool) -> Double {
    Double(text.count) * (isStrong ? 7 : 6.2)
  }

  func drawEvents(into text: inout SVGText) {
    for kind in SeriesStrip.Mark.Kind.allCases {
      var path = ""
      for mark in strips.marks where mark.kind == kind && strips.days.contains(mark.day) {
        path += kind.symbol.path(x: across(mark.day), y: Self.markLine)
      }
      text.path(kind.symbol.style, path)
    }
  }

  func drawDays(into text: inout SVGText) {
    text.line("axis", x1: Self.left, y1: floor, x2: Self.right, y2: floor)
    for day in DayAxis.labelled(strips.days, most: 6) where across(day) - Self.left > 14 {
      text.line("axis", x1: across(day), y1: floor, x2: across(day), y2: floor + 4)
      text.label(strips.language.short(day), "tick", x: across(day), y: floor + 17, anchor: .middle)
    }
  }
}
