/// One line that shows the progress of a long command.
public enum ProgressBar {
  /// Renders the line; never wider than `width` columns and without a line break.
  ///
  /// - Parameters:
  ///   - label: The activity, such as "Importing".
  ///   - done: Steps done; beyond `total` counts as all.
  ///   - total: Steps in all; where it is 0 or less, the total is not known and there is no bar.
  ///   - start: Steps that were done before the time began to count.
  ///   - elapsed: Seconds since then.
  ///   - width: Columns of the terminal.
  public static func line(
    label: String, done: Int, total: Int, start: Int = 0, elapsed: Double, width: Int
  ) -> String {
    guard total > 0 else {
      return String("\(label) \(NumberText.count(max(0, done)))".prefix(max(0, width)))
    }
    let fraction = min(1, max(0, Double(done) / Double(total)))
    let percent = "\(Int((fraction * 100).rounded(.down))) %".padding(toWidth: 5)
    var tail = " \(percent)"
    if let remaining = remaining(done: done - start, of: total - start, elapsed: elapsed) {
      tail += "  \(remaining) left"
    }
    let room = min(40, width - label.count - tail.count - 3)
    // On a narrow terminal the numbers matter more than the bar.
    guard room >= 5 else { return String((label + tail).prefix(max(0, width))) }
    let filled = Int((fraction * Double(room)).rounded(.down))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
    return "\(label) [\(bar)]\(tail)"
  }

  /// The remaining time from the mean speed so far; nil while that would be a guess.
  private static func remaining(done: Int, of total: Int, elapsed: Double) -> String? {
    guard done > 0, done < total, elapsed >= 1 else { return nil }
    let seconds = elapsed / Double(done) * Double(total - done)
    guard seconds.isFinite, seconds < 360_000 else { return nil }
    if seconds < 60 { return "\(Int(seconds.rounded(.up))) s" }
    let minutes = Int((seconds / 60).rounded(.up))
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

extension String {
  fileprivate func padding(toWidth width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
