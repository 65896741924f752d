/// Layout of JSON for people: an array of numbers on as few lines as fit.
enum CompactArrays {
  /// Joins the lines of each array of numbers, up to 100 columns.
  static func joined(_ json: String) -> String {
    var lines: [String] = []
    var isInNumbers = false
    for line in json.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      let isNumber = text.first.map { $0.isNumber || $0 == "-" } ?? false
      if isNumber, isInNumbers, let last = lines.last, last.count + text.count < 100 {
        lines[lines.count - 1] = last + " " + text
      } else {
        lines.append(String(line))
      }
      isInNumbers = isNumber
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
