import Foundation
import VigilLaboratory

/// A line chart as SVG, readable on a light and on a dark page.
///
/// Lines differ by colour, by dash and by the mark of their points, so that none of these alone says which
/// is which. Bars show intervals. The text alternative is in `title` and `desc`.
struct Chart {
  struct Point {
    var x: Double
    var y: Double
    /// Nil for no bar.
    var interval: ClosedRange<Double>?
  }

  struct Line {
    var name: String
    var points: [Point]
  }

  struct Axis {
    var label: String
    var range: ClosedRange<Double>
    var isLogarithmic = false
    var ticks: [Double]
    var decimals = 0

    /// The place of a value, 0...1.
    func place(_ value: Double) -> Double {
      let (low, high) = (range.lowerBound, range.upperBound)
      let value = min(max(value, low), high)
      return isLogarithmic
        ? log(value / low) / log(high / low) : (value - low) / (high - low)
    }
  }

  var title: String
  /// The chart in words.
  var description: String
  var x: Axis
  var y: Axis
  var lines: [Line]

  private static let (width, height) = (720.0, 400.0)
  private static let (left, right, top, bottom) = (64.0, 190.0, 36.0, 52.0)
  private static let dashes = ["", "7 4", "2 4", "9 3 2 3", "4 2", "12 4", "1 3"]

  var svg: String {
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 400" role="img" \
      aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="12">
      <title id="title">\(title.escaped)</title>
      <desc id="description">\(description.escaped)</desc>
      \(ChartStyle.text)
      <rect class="page" width="720" height="400"/>
      <text class="text" x="\(Self.left.text(0))" y="20" font-size="14">\(title.escaped)</text>
      """
    ]
    parts += gridLines
    for (index, line) in lines.enumerated() { parts.append(group(line, index: index)) }
    parts.append("</svg>")
    return parts.joined(separator: "\n") + "\n"
  }

  private func across(_ value: Double) -> Double {
    Self.left + x.place(value) * (Self.width - Self.left - Self.right)
  }

  private func down(_ value: Double) -> Double {
    Self.height - Self.bottom - y.place(value) * (Self.height - Self.top - Self.bottom)
  }

  private var gridLines: [String] {
    let (end, floor) = (Self.width - Self.right, Self.height - Self.bottom)
    var parts: [String] = []
    for tick in y.ticks {
      let place = down(tick).text(1)
      parts.append(
        """
        <line class="grid" x1="\(Self.left.text(0))" y1="\(place)" x2="\(end.text(0))" y2="\(place)"/>
        <text class="text" x="\((Self.left - 8).text(0))" y="\((down(tick) + 4).text(1))" \
        text-anchor="end">\(tick.text(y.decimals))</text>
        """)
    }
    for tick in x.ticks {
      parts.append(
        """
        <line class="grid" x1="\(across(tick).text(1))" y1="\(floor.text(0))" \
        x2="\(across(tick).text(1))" y2="\((floor + 5).text(0))"/>
        <text class="text" x="\(across(tick).text(1))" y="\((floor + 19).text(0))" \
        text-anchor="middle">\(tick.text(x.decimals))</text>
        """)
    }
    let middle = (Self.top + floor) / 2
    parts.append(
      """
      <text class="text" x="\(((Self.left + end) / 2).text(0))" y="\((Self.height - 12).text(0))" \
      text-anchor="middle">\(x.label.escaped)</text>
      <text class="text" transform="translate(16 \(middle.text(0))) rotate(-90)" \
      text-anchor="middle">\(y.label.escaped)</text>
      """)
    return parts
  }

  private func group(_ line: Line, index: Int) -> String {
    let colour = index % ChartStyle.colourCount
    let dash = Self.dashes[index % Self.dashes.count]
    // A value that cannot be drawn, such as an infinite delay, interrupts the line.
    let path = line.points.split { !$0.y.isFinite }.map { run in
      run.map { "\(across($0.x).text(1)),\(down($0.y).text(1))" }.joined(separator: " ")
    }
    var parts = path.map {
      "<polyline class=\"line c\(colour)\" points=\"\($0)\" stroke-dasharray=\"\(dash)\"/>"
    }
    for point in line.points where point.y.isFinite {
      let place = across(point.x).text(1)
      if let interval = point.interval {
        parts.append(
          "<line class=\"bar c\(colour)\" x1=\"\(place)\" x2=\"\(place)\" "
            + "y1=\"\(down(interval.lowerBound).text(1))\" "
            + "y2=\"\(down(interval.upperBound).text(1))\"/>")
      }
      parts.append(mark(index, x: across(point.x), y: down(point.y)))
    }
    let (keyX, keyY) = (Self.width - Self.right + 14, Self.top + 14 + Double(index) * 20)
    parts.append(
      """
      <line class="line c\(colour)" x1="\(keyX.text(0))" x2="\((keyX + 26).text(0))" \
      y1="\(keyY.text(0))" y2="\(keyY.text(0))" stroke-dasharray="\(dash)"/>
      \(mark(index, x: keyX + 13, y: keyY))
      <text class="text" x="\((keyX + 32).text(0))" y="\((keyY + 4).text(0))">\(line.name.escaped)</text>
      """)
    return "<g>\n" + parts.joined(separator: "\n") + "\n</g>"
  }

  private func mark(_ index: Int, x: Double, y: Double) -> String {
    let colour = "mark c\(index % ChartStyle.colourCount)"
    switch index % 3 {
    case 0: return "<circle class=\"\(colour)\" cx=\"\(x.text(1))\" cy=\"\(y.text(1))\" r=\"3.5\"/>"
    case 1:
      return "<rect class=\"\(colour)\" x=\"\((x - 3).text(1))\" y=\"\((y - 3).text(1))\" "
        + "width=\"6\" height=\"6\"/>"
    default:
      return "<path class=\"\(colour)\" d=\"M\(x.text(1)) \((y - 4).text(1))l4 7h-8z\"/>"
    }
  }
}

extension String {
  /// The text with the signs that XML reserves written as entities.
  var escaped: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }
}
