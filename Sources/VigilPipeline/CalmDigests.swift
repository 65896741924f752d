import VigilDetection
import VigilModel

/// The series of which a night need not look at the days before again, because the night before has found nothing in the
/// very same input.
///
/// Each night, the folds under evidence go again through all days that late data may have changed. So a night keeps a digest
/// of each person's input, with the series that had no episode. If the next night has the same input for these days, and the
/// series still has no episode, it folds the new day alone, and finds the same (specification, runs.md section 2).
///
/// ```swift
/// let digests = CalmDigests(of: ProfilePlan(
///   Thresholds(version: "mine", digest: "", metrics: []),
///   window: FoldWindow(
///     evaluating: Day(ordinal: 20_000)...Day(ordinal: 20_000),
///     thresholds: Thresholds(version: "mine", digest: "", metrics: [])),
///   availableMetrics: nil, followsAdherence: false, followsCheckIns: false),
///   engineVersion: "0.1.0")
/// print(digests == nil)  // true
/// ```
public struct CalmDigests: Sendable {
  private let profile: ProfilePlan
  /// Depends on the profile.
  private let seed: UInt64
  /// The places of the series under evidence, alone and together.
  private let series: [Int]

  /// Changes with what the digests are about.
  private static let version: UInt64 = 1

  /// - Parameters:
  ///   - profile: The profile, and the days of the night.
  ///   - engineVersion: Another version may find what this one did not.
  /// - Returns: Nil where nothing is judged by evidence, or more than one day is evaluated.
  public init?(of profile: ProfilePlan, engineVersion: String) {
    let window = profile.window
    let ofMetrics = profile.metrics.indices.filter {
      profile.metrics[$0].detector == .evidence && profile.metrics[$0].source == .wearable
    }
    guard !ofMetrics.isEmpty, profile.seriesPerPerson <= SeriesSet.bitWidth,
      window.notifying.lowerBound == window.notifying.upperBound,
      window.folded.lowerBound < window.folded.upperBound
    else { return nil }
    self.profile = profile
    series = ofMetrics + (profile.followsTogether ? [profile.metrics.count] : [])
    var digest = Digest(Self.version)
    digest.add(engineVersion)
    digest.add(profile.thresholds.profile.id)
    digest.add(profile.thresholds.digest)
    for metric in profile.metrics { digest.add(metric.metric.rawValue) }
    seed = digest.value
  }

  /// A set of the series of a person, by their places.
  typealias SeriesSet = CalmDigest.SeriesSet

  /// The digest that the night before has kept of a person where nothing has changed since, with the series without an
  /// episode in the folded days.
  ///
  /// - Parameter stored: By series index, as `BlockFold` takes them.
  func now(of person: Int, in input: BlockInput, stored: [Int: [Episode]]) -> CalmDigest {
    let days = profile.window.loaded
    return digest(
      of: person, in: input, on: days.lowerBound...days.upperBound - 1,
      foldedFrom: profile.window.folded.lowerBound, stored: stored)
  }

  /// The digest to keep for the next night, with the series without an episode in the days that it folds.
  ///
  /// - Parameter found: The series with an episode.
  func next(
    of person: Int, in input: BlockInput, stored: [Int: [Episode]], found: Set<Int>
  ) -> CalmDigest {
    let days = profile.window.loaded
    var digest = digest(
      of: person, in: input, on: days.lowerBound + 1...days.upperBound,
      foldedFrom: profile.window.folded.lowerBound + 1, stored: stored)
    for place in series where found.contains(person * profile.seriesPerPerson + place) {
      digest.series &= ~(1 << place)
    }
    return digest
  }

  private func digest(
    of person: Int, in input: BlockInput, on days: ClosedRange<Day>, foldedFrom first: Day,
    stored: [Int: [Episode]]
  ) -> CalmDigest {
    var calm: SeriesSet = 0
    var digest = Digest(seed)
    let id = input.persons[person].uuid
    withUnsafeBytes(of: id) { for byte in $0 { digest.add(UInt64(byte)) } }
    digest.add(days.lowerBound)
    digest.add(days.upperBound)
    for place in series {
      calm |= 1 << place
      for episode in stored[person * profile.seriesPerPerson + place] ?? [] {
        guard let resolution = episode.resolution, resolution.day < first,
          resolution.reason != .retracted
        else {
          calm &= ~(1 << place)
          continue
        }
        guard resolution.day >= days.lowerBound else { continue }
        digest.add(UInt64(place))
        digest.add(episode.activeSince)
        digest.add(resolution.day)
        digest.add(resolution.reason.rawValue)
      }
    }
    if let own = input.sensitivities[person] {
      for (metric, sensitivity) in own.overrides.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        digest.add(metric.rawValue)
        digest.add(sensitivity.rawValue)
      }
    }
    add(person, of: input.block, on: days, to: &digest)
    return CalmDigest(input: digest.value, series: calm)
  }

  private func add(
    _ person: Int, of block: ObservationBlock, on days: ClosedRange<Day>, to digest: inout Digest
  ) {
    let first = days.lowerBound - block.days.lowerBound
    let end = days.upperBound - block.days.lowerBound + 1
    for metric in 0..<block.metricCount {
      let values = block.series(person: person, metric: metric)
      var sum: UInt64 = 0
      for index in first..<end {
        // A sum of its days, each of which has an addend of its own; all NaN are one.
        let value = values[index]
        let bits = value.isNaN ? 0x7FF8_0000_0000_0001 : value.bitPattern
        sum &+= Digest.mixed(bits &+ UInt64(index - first) &* .splitMixIncrement)
      }
      digest.add(sum)
      for change in block.deviceChanges(person: person, metric: metric)
      where change.recognizedOn <= days.upperBound {
        digest.add(change.recognizedOn)
        digest.add(change.since)
        digest.add(change.horizons.lowerBound)
        digest.add(change.horizons.upperBound)
      }
    }
    guard let workouts = block.workouts(person: person) else { return }
    for index in first..<end where workouts[index] != 0 { digest.add(UInt64(index - first + 1)) }
  }

  /// A number that other input hardly has.
  private struct Digest {
    private(set) var value: UInt64

    init(_ seed: UInt64) { value = Self.mixed(seed) }

    mutating func add(_ word: UInt64) { value = Self.mixed(value ^ word) &+ .splitMixIncrement }

    mutating func add(_ day: Day) { add(UInt64(bitPattern: Int64(day.ordinal))) }

    mutating func add(_ text: String) {
      for byte in text.utf8 { add(UInt64(byte)) }
      add(0xFF)
    }

    /// The mixing of SplitMix64.
    @inline(__always)
    static func mixed(_ word: UInt64) -> UInt64 { word.scattered }
  }
}
