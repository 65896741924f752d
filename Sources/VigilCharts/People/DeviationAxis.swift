/// The metrics of one person on one axis: how far each is from what is usual, in personal spreads; to the right is
/// worse.
///
/// ```swift
/// let axis = DeviationAxis(rows: [
///   .init(label: "sleep", spreads: 2.4, isBad: true, text: "310 min, usual 421")
/// ])
/// print(axis.drawing.description)  // sleep: +2.4 (310 min, usual 421).
/// ```
public struct DeviationAxis: Hashable, Sendable {
  public struct Row: Hashable, Sendable {
    /// The metric in words.
    public var label: String
    /// The distance from what is usual, in personal spreads; positive is bad, nil where it is not known.
    public var spreads: Double?
    /// Whether an active episode of the metric says that this is a change for the worse.
    public var isBad: Bool
    /// The figures behind it, such as "310 min, usual 421".
    public var text: String

    public init(label: String, spreads: Double?, isBad: Bool, text: String) {
      self.label = label
      self.spreads = spreads
      self.isBad = isBad
      self.text = text
    }
  }

  public var rows: [Row]
  /// The words of its texts and the form of its numbers.
  public var language = ChartLanguage.english

  public init(rows: [Row]) {
    self.rows = rows
  }

  /// The ends of the axis; what lies beyond is drawn there as an arrow.
  static let limit = 4.0

  private func label(of tick: Double) -> String {
    switch tick {
    case 0: language.text(.usual)
    case -Self.limit: language.text(.axisBetter)
    case Self.limit: language.text(.axisWorse)
    default: ChartNumber.signed(tick).droppingZeroDecimal
    }
  }

  /// The axis as a drawing.
  public var drawing: Drawing {
    let (width, rowHeight, top) = (440.0, 30.0, 20.0)
    let (left, right) = (206.0, 432.0)
    let height = top + Double(rows.count) * rowHeight + 6
    func across(_ spreads: Double) -> Double {
      left + (min(max(spreads, -Self.limit), Self.limit) / Self.limit + 1) / 2 * (right - left)
    }
    let words = rows.map { row in
      let place = row.spreads.map(language.signed) ?? language.text(.notKnown)
      return language.text(.axisRow, ["label": row.label, "place": place, "text": row.text])
    }
    return Drawing(
      title: language.text(.axisTitle),
      description: words.joined(separator: " "), width: width, height: height
    ) { text in
      text.rect(
        "band", x: across(-1), y: top, width: across(1) - across(-1), height: height - top - 4)
      for tick in [-4.0, -2, 0, 2, 4] {
        text.line(
          tick == 0 ? "axis" : "grid", x1: across(tick), y1: top, x2: across(tick), y2: height - 4)
        text.label(
          label(of: tick), "tick", x: across(tick), y: 12,
          anchor: tick == Self.limit ? .end : .middle)
      }
      for (index, row) in rows.enumerated() {
        let y = top + (Double(index) + 0.5) * rowHeight
        text.label(row.label, row.isBad ? "strong" : "tick", x: 0, y: y - 1)
        text.label(row.text, "small", x: 0, y: y + 11)
        guard let spreads = row.spreads, spreads.isFinite else { continue }
        let x = across(spreads)
        text.line(row.isBad ? "alarm" : "axis", x1: across(0), y1: y, x2: x, y2: y)
        if spreads.magnitude > Self.limit {
          let back = spreads < 0 ? 7.0 : -7.0
          text.path(
            row.isBad ? "alarm-dot" : "data-dot",
            "M\(x.placed) \(y.placed)L\((x + back).placed) \((y - 5).placed)"
              + "L\((x + back).placed) \((y + 5).placed)Z")
        } else if row.isBad {
          text.path(
            "alarm-dot",
            "M\(x.placed) \((y - 5).placed)l5 5l-5 5l-5 -5Z")
        } else {
          text.element(
            "circle", ["class": "data-dot", "cx": x.placed, "cy": y.placed, "r": "3.5"])
        }
      }
    }
  }
}

extension String {
  fileprivate var droppingZeroDecimal: String { hasSuffix(".0") ? String(dropLast(2)) : self }
}
