/// A series of daily values in short.
///
/// `72x28 60x3 _ 71` is 28 days of 72, 3 of 60, a day without a
/// value, and 71. `_x5` is five days without one.
public struct SeriesNotation: ExpressibleByStringLiteral, CustomStringConvertible, Sendable {
  /// One value a day, NaN where there is none.
  public var values: [Double]

  public init(values: [Double]) {
    self.values = values
  }

  public init(stringLiteral text: String) {
    values = text.split(separator: " ").flatMap { word -> [Double] in
      let parts = word.split(separator: "x", maxSplits: 1)
      let value = parts[0] == "_" ? Double.nan : Double(parts[0])
      let count = parts.count == 2 ? Int(parts[1]) : 1
      guard let value, let count else {
        preconditionFailure("'\(word)' is no series notation")
      }
      return Array(repeating: value, count: count)
    }
  }

  public var description: String {
    var words: [String] = []
    var start = 0
    while start < values.count {
      var end = start + 1
      while end < values.count,
        values[end] == values[start] || (values[end].isNaN && values[start].isNaN)
      {
        end += 1
      }
      let value = values[start].isNaN ? "_" : "\(values[start])"
      words.append(end - start == 1 ? value : "\(value)x\(end - start)")
      start = end
    }
    return words.joined(separator: " ")
  }
}
