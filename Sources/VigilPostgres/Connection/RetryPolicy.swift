import Foundation

/// The time for which an operation is repeated that failed through no fault of its own.
struct RetryPolicy: Sendable {
  /// Counted from the first failure.
  var timeout: Duration

  private static let firstPause = Duration.milliseconds(50)
  private static let longestPause = Duration.seconds(5)

  /// Runs `body` until it succeeds, fails for good, or time is up; blocks its thread in between.
  ///
  /// Pauses double, with some chance in them so that workers which lost their connections together
  /// do not all come back in the same instant.
  ///
  /// - Parameter waiting: Called once, before the first pause.
  /// - Throws: What `body` threw last.
  func run<Result>(
    if isTransient: (PostgresError) -> Bool = { $0.isTransient },
    waiting: (PostgresError) -> Void = { _ in }, _ body: () throws -> Result
  ) throws -> Result {
    var deadline: ContinuousClock.Instant?
    var pause = Self.firstPause
    while true {
      do {
        return try body()
      } catch let error as PostgresError where isTransient(error) {
        let now = ContinuousClock.now
        let end = deadline ?? now + timeout
        let next = pause * Double.random(in: 0.5...1)
        guard now + next < end else { throw error }
        if deadline == nil { waiting(error) }
        deadline = end
        Thread.sleep(forTimeInterval: next / .seconds(1))
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }
}
