/// A drawing that stands in a page or in a file of its own.
public struct Drawing: Hashable, Sendable {
  /// The drawing in a few words, for readers who do not see it.
  public let title: String
  /// The drawing in sentences.
  public let description: String
  /// In user units, which are CSS pixels where the drawing is not scaled.
  public let width: Double
  public let height: Double
  /// The elements, without the enclosing `svg`.
  private let content: String

  init(
    title: String, description: String, width: Double, height: Double,
    _ draw: (inout SVGText) -> Void
  ) {
    self.title = title
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
      height: drawings.reduce(0) { $0 + $1.height + heading }
    ) { text in
      var top = 0.0
      for drawing in drawings {
        text.label(drawing.title, "tick", x: 0, y: top + heading - 4)
        text.group(drawing.content, down: top + heading)
        top += drawing.height + heading
      }
    }
  }

  /// The `svg` element for a page that has `ChartStyle.css`.
  ///
  /// - Parameter id: A name for the drawing that no other one of the page has.
  public func inline(id: String) -> String { svg(id: id, opening: [:], style: "") }

  /// The text of an SVG file that brings its own style and follows light and dark.
  public var file: String {
    svg(
      id: "chart", opening: ["xmlns": "http://www.w3.org/2000/svg"],
      style: "<style>\(ChartStyle.css)</style>") + "\n"
  }

  private func svg(
    id: String, opening: KeyValuePairs<String, String>, style: String
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
