import Synchronization
import VigilReport

/// Shows the progress of a command once it has taken a second; any thread may update it.
final class ProgressIndicator: Sendable {
  private let label: String
  private let console: Console
  private let isEnabled: Bool
  private let start: ContinuousClock.Instant
  private let state: Mutex<State>

  private struct State {
    var lastShown: ContinuousClock.Instant
    /// The steps done when the first update came: a continued run has done a part of them before.
    var doneAtStart: Int?
  }

  init(label: String, console: Console, isEnabled: Bool) {
    self.label = label
    self.console = console
    self.isEnabled = isEnabled
    start = .now
    // The first line appears after a second, later ones ten times a second.
    state = Mutex(State(lastShown: start.advanced(by: .milliseconds(900))))
  }

  /// - Parameter total: 0 where it is not known.
  func update(done: Int, total: Int) {
    guard isEnabled else { return }
    let now = ContinuousClock.now
    let doneAtStart: Int? = state.withLock { state in
      let doneAtStart = state.doneAtStart ?? done
      state.doneAtStart = doneAtStart
      guard state.lastShown.duration(to: now) >= .milliseconds(100) else { return nil }
      state.lastShown = now
      return doneAtStart
    }
    guard let doneAtStart else { return }
    let elapsed = start.duration(to: now) / Duration.seconds(1)
    console.show(
      progress: ProgressBar.line(
        label: label, done: done, total: total, start: doneAtStart, elapsed: elapsed,
        width: console.width - 1))
  }

  /// Erases the line.
  func finish() {
    guard isEnabled else { return }
    console.show(progress: "")
  }
}
