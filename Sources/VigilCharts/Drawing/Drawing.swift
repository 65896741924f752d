/// A drawing that stands in a page or in a file of its own.
public struct Drawing: Hashable, Sendable {
  /// The drawing in a few words, for readers who do not see it.
  public let title: String
  /// The drawing in sentences.
  public let description: String
  /// In user units, which are CSS pixels where the drawing is not scaled.
  public let width: Double
  public let height: Double
  /// The title with unit and days, which stands above the drawing in a file of its own.
  private let heading: String
  /// A second line below it, in a file.
  private let subheading: String
  let legend: [LegendEntry]
  /// The elements, without the enclosing `svg`.
  private let content: String

  init(
    title: String, description: String, width: Double, height: Double, heading: String = "",
    subheading: String = "", legend: [LegendEntry] = [], _ draw: (inout SVGText) -> Void
  ) {
    self.title = title
    self.heading = heading.isEmpty ? title : heading
    self.subheading = subheading
    self.legend = legend
    self.description = description
    self.width = width
    self.height = height
    var text = SVGText()
    draw(&text)
    content = text.text
  }

  /// Drawings one below the other, each under its title.
  ///
  /// - Parameters:
  ///   - drawings: From the top.
  ///   - title: That of all together.
  public init(stacking drawings: [Drawing], title: String) {
    let heading = 16.0
    self.init(
      title: title,
      description: drawings.map { "\($0.title): \($0.description)" }.joined(separator: " "),
      width: drawings.map(\.width).max() ?? 0,
      height: drawings.reduce(0) { $0 + $1.height + heading },
      legend: drawings.flatMap(\.legend).reduce(into: []) { legend, entry in
        if !legend.contains(entry) { legend.append(entry) }
      }
    ) { text in
      var top = 0.0
      for drawing in drawings {
        text.label(drawing.heading, "tick", x: 0, y: top + heading - 4)
        text.group(drawing.content, down: top + heading)
        top += drawing.height + heading
      }
    }
  }

  /// The `svg` element for a page that has `ChartStyle.css`.
  ///
  /// - Parameter id: A name for the drawing that no other one of the page has.
  public func inline(id: String) -> String {
    svg(id: id, opening: [:], style: "", content: content, height: height)
  }

  /// The text of an SVG file with its own style, which follows light and dark, its heading and its legend.
  ///
  /// It takes the width that it gets.
  public var file: String {
    var text = SVGText()
    text.label(heading, "strong", x: 0, y: 13)
    let top = Self.lineHeight * (subheading.isEmpty ? 1 : 2) + 4
    if !subheading.isEmpty { text.label(subheading, "tick", x: 0, y: 13 + Self.lineHeight) }
    text.group(content, down: top)
    let floor = top + height
    let rows = LegendEntry.draw(legend, width: width, down: floor + 6, into: &text)
    return svg(
      id: "chart", opening: ["xmlns": "http://www.w3.org/2000/svg"],
      style: "<style>\(ChartStyle.css)</style>", content: text.text,
      height: floor + (rows > 0 ? 10 + Double(rows) * LegendEntry.rowHeight : 0)) + "\n"
  }

  private static let lineHeight = 16.0

  private func svg(
    id: String, opening: KeyValuePairs<String, String>, style: String, content: String,
    height: Double
  ) -> String {
    var text = SVGText()
    let own: KeyValuePairs = [
      "class": "chart", "viewBox": "0 0 \(width.placed) \(height.placed)", "role": "img",
      "aria-labelledby": "\(id)-t \(id)-d",
    ]
    text.open("svg", opening)
    // The attributes of both lists belong to one tag.
    var svg = String(text.text.dropLast())
    for (key, value) in own { svg += " \(key)=\"\(value.escapedForMarkup)\"" }
    var parts = SVGText()
    parts.element("title", ["id": "\(id)-t"], text: title)
    parts.element("desc", ["id": "\(id)-d"], text: description)
    return svg + ">" + parts.text + style + content + "</svg>"
  }
}
