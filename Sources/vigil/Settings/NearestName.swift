/// Guesses what a mistyped name was meant to be.
enum NearestName {
  /// The closest of `names`; nil where none is close enough to be a slip.
  static func of(_ name: String, among names: [String]) -> String? {
    let nearest = names.map { (distance(name, $0), $0) }.min { $0 < $1 }
    guard let nearest, nearest.0 <= max(2, name.count / 3) else { return nil }
    return nearest.1
  }

  /// Insertions, removals and replacements that turn one text into the other (Levenshtein).
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (right[column] == character ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
