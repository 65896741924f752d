/// Guesses which of the known names a mistyped one was meant to be.
public enum NearestName {
  /// The closest of `names`; nil where none is close enough to be a slip.
  ///
  /// - Complexity: O(`names.count` x length of a name squared).
  public static func of(_ name: String, among names: [String]) -> String? {
    guard let nearest = closest(to: name, among: names),
      editDistance(name, nearest) <= max(2, name.utf8.count / 3)
    else { return nil }
    return nearest
  }

  /// The closest of `names`, however far it is; the first of those that are equally close.
  public static func closest(to name: String, among names: [String]) -> String? {
    let distances = names.map { editDistance($0, name) }
    return distances.indices.min { distances[$0] < distances[$1] }.map { names[$0] }
  }

  /// The smallest number of letters to insert, remove or replace to get from one word to the other.
  ///
  /// Levenshtein distance over UTF-8 bytes.
  static func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right.utf8)
    var row = Array(0...right.count)
    for (index, byte) in left.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (right[column] == byte ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
