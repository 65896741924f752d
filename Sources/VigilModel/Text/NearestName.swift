/// Guesses which known name a mistyped name stands for.
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

  /// The closest of `names`, at any distance; the first of those that are equally close.
  ///
  /// A single slip is closest. Next come names that share words, such as `date` and `metric_date`,
  /// then the names that need the fewest edits.
  public static func closest(to name: String, among names: [String]) -> String? {
    let words = words(of: name)
    return names.enumerated().map { index, known in
      let distance = editDistance(known, name)
      let common = distance <= 1 ? Int.max : self.words(of: known).intersection(words).count
      return (rank: (-common, distance, index), name: known)
    }.min { $0.rank < $1.rank }?.name
  }

  /// The parts of `name`, as the words that Vigil uses for them.
  private static func words(of name: String) -> Set<String> {
    let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let pairs = zip(parts, parts.dropFirst()).map { $0 + $1 }
    return Set((parts + pairs).flatMap { [$0] + (synonyms[$0] ?? []) })
  }

  /// Words of other programs' files for those in Vigil's columns.
  private static let synonyms = [
    "day": ["date"], "time": ["date"], "timestamp": ["date"], "dob": ["birth", "date"],
    "birthday": ["birth", "date"], "person": ["user"], "patient": ["user"],
    "participant": ["user"], "subject": ["user"], "pid": ["user", "id"], "device": ["source"],
    "provider": ["source"], "heartrate": ["hr"], "pulse": ["hr"], "bpm": ["hr"], "rhr": ["hr"],
    "active": ["movement"], "activity": ["movement"], "drug": ["medication"],
    "medicine": ["medication"], "dose": ["dosage"],
  ]

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
