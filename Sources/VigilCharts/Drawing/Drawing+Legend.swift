extension Drawing {
  /// The symbols that are drawn, which a legend beside the drawing explains.
  public var symbols: [ChartSymbol] {
    legend.compactMap { if case .symbol(let symbol) = $0 { symbol } else { nil } }
  }

  /// One entry of the legend of a drawing.
  enum LegendEntry: Hashable, Sendable {
    case symbol(ChartSymbol)
    /// A line in the style of a class, with its words.
    case line(String, String)
    /// An area in the style of a class, with its words.
    case area(String, String)

    static let rowHeight = 15.0

    private var words: String {
      switch self {
      case .symbol(let symbol): symbol.words
      case .line(_, let words), .area(_, let words): words
      }
    }

    /// Draws entries beside each other, in as many rows as the width asks for.
    ///
    /// - Returns: The number of rows.
    static func draw(
      _ entries: [LegendEntry], width: Double, down: Double, into text: inout SVGText
    ) -> Int {
      var (x, row) = (0.0, 0)
      for entry in entries {
        // About what a font of 10 pixels takes.
        let own = 22 + Double(entry.words.count) * 5.6
        if x > 0, x + own > width { (x, row) = (0, row + 1) }
        let y = down + Double(row) * rowHeight
        switch entry {
        case .symbol(let symbol): text.path(symbol.style, symbol.path(x: x + 6, y: y + 5))
        case .line(let style, _): text.line(style, x1: x, y1: y + 5, x2: x + 12, y2: y + 5)
        case .area(let style, _): text.rect(style, x: x, y: y, width: 12, height: 10)
        }
        text.label(entry.words, "small", x: x + 16, y: y + 9)
        x += own + 10
      }
      return entries.isEmpty ? 0 : row + 1
    }
  }
}
