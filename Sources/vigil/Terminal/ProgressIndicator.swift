import Synchronization
import VigilReport

/// Shows how far a command is once it has taken a second; may be told from any thread.
final class ProgressIndicator: Sendable {
  private let label: String
  private let console: Console
  private let isEnabled: Bool
  private let start: ContinuousClock.Instant
  private let lastShown: Mutex<ContinuousClock.Instant>

  init(label: String, console: Console, isEnabled: Bool) {
    self.label = label
    self.console = console
    self.isEnabled = isEnabled
    start = .now
    // The first line appears after a second, later ones ten times a second.
    lastShown = Mutex(start.advanced(by: .milliseconds(900)))
  }

  /// - Parameter total: 0 where it is not known.
  func update(done: Int, total: Int) {
    guard isEnabled else { return }
    let now = ContinuousClock.now
    let isDue = lastShown.withLock { last in
      guard last.duration(to: now) >= .milliseconds(100) else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let elapsed = start.duration(to: now) / Duration.seconds(1)
    console.show(
      progress: ProgressBar.line(
        label: label, done: done, total: total, elapsed: elapsed, width: Console.width - 1))
  }

  /// Erases the line.
  func finish() {
    guard isEnabled else { return }
    console.show(progress: "")
  }
}
