import VigilModel

/// The text of a drawing, element by element.
struct SVGText {
  private(set) var text = ""

  /// Adds an element; attributes are pairs of a name and a value, in their order.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, text content: String? = nil
  ) {
    open(name, attributes, ends: content == nil)
    if let content { text += content.escapedForMarkup + "</\(name)>" }
  }

  mutating func open(
    _ name: String, _ attributes: KeyValuePairs<String, String>, ends: Bool = false
  ) {
    text += "<\(name)"
    for (key, value) in attributes { text += " \(key)=\"\(value.escapedForMarkup)\"" }
    text += ends ? "/>" : ">"
  }

  mutating func close(_ name: String) { text += "</\(name)>" }

  mutating func line(_ style: String, x1: Double, y1: Double, x2: Double, y2: Double) {
    path(style, "M\(x1.placed) \(y1.placed)L\(x2.placed) \(y2.placed)")
  }

  mutating func path(_ style: String, _ data: String) {
    guard !data.isEmpty else { return }
    element("path", ["class": style, "d": data])
  }

  mutating func rect(_ style: String, x: Double, y: Double, width: Double, height: Double) {
    element(
      "rect",
      [
        "class": style, "x": x.placed, "y": y.placed, "width": width.placed,
        "height": height.placed,
      ])
  }

  mutating func label(
    _ content: String, _ style: String, x: Double, y: Double, anchor: Anchor = .start
  ) {
    element(
      "text", ["class": "\(style)\(anchor.style)", "x": x.placed, "y": y.placed], text: content)
  }

  /// Adds a name with a note that follows it, however wide the font makes the name.
  mutating func heading(_ name: String, note: String, x: Double, y: Double) {
    open("text", ["class": "tick", "x": x.placed, "y": y.placed])
    element("tspan", ["class": "strong"], text: name)
    if !note.isEmpty { element("tspan", ["dx": "6"], text: note) }
    close("text")
  }

  /// Adds elements that were drawn elsewhere, further down.
  mutating func group(_ elements: String, down: Double) {
    open("g", ["transform": "translate(0 \(down.placed))"])
    text += elements
    close("g")
  }

  enum Anchor {
    case start, middle, end

    fileprivate var style: String {
      switch self {
      case .start: ""
      case .middle: " middle"
      case .end: " end"
      }
    }
  }
}

extension Double {
  var placed: String { ChartNumber.place(self) }
}

extension String {
  /// Without what has a meaning in HTML and SVG, and without characters that no document may hold.
  var escapedForMarkup: String {
    var escaped = ""
    escaped.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar.steersTerminals ? "\u{FFFD}" : scalar)
      }
    }
    return escaped
  }
}
