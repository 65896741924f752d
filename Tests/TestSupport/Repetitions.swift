import Foundation

/// The number of times that a test repeats itself, with other random numbers or at other moments.
///
/// `make test` repeats a few times; `make test-nightly` sets `VIGIL_LONG_TESTS` and repeats as often as
/// it takes to meet what is rare. Seeds count up from the same start, so that the short runs are the
/// first of the long ones.
///
/// ```swift
/// for seed in 1...Repetitions.count(fast: 2, long: 50) {
/// ```
public enum Repetitions {
  /// Whether this process repeats as often as `make test-nightly` asks for.
  public static let areLong = ProcessInfo.processInfo.environment["VIGIL_LONG_TESTS"] != nil

  /// Returns `fast`, or `long` under `make test-nightly`.
  public static func count(fast: Int, long: Int) -> Int { areLong ? long : fast }
}
