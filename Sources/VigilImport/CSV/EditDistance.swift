/// The smallest number of letters to insert, remove or replace to get from one word to the other.
///
/// Levenshtein distance over UTF-8 bytes.
/// - Complexity: O(`left.count` x `right.count`).
func editDistance(_ left: String, _ right: String) -> Int {
  let right = Array(right.utf8)
  var previous = Array(0...right.count)
  for (row, byte) in left.utf8.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      current.append(
        min(
          previous[column + 1] + 1, current[column] + 1, previous[column] + (byte == other ? 0 : 1))
      )
    }
    previous = current
  }
  return previous[right.count]
}
