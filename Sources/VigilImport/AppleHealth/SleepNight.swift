/// The sleep of one night by one source.
struct SleepNight {
  private var parts: [Part] = []

  private struct Part {
    var stage: SleepStage
    /// Seconds since 1970.
    var range: Range<Int64>
  }

  /// A night has some tens of parts; more than this are joined, so that memory stays bounded.
  private static let mostParts = 512

  mutating func add(_ stage: SleepStage, _ range: Range<Int64>) {
    parts.append(Part(stage: stage, range: range))
    guard parts.count > Self.mostParts else { return }
    parts = SleepStage.allCases.flatMap { stage in
      ranges { $0 == stage }.map { Part(stage: stage, range: $0) }
    }
  }

  /// The length of the union of all parts whose stage is among those wanted.
  func minutes(where isWanted: (SleepStage) -> Bool) -> Double {
    Double(ranges(where: isWanted).reduce(0) { $0 + Int64($1.count) }) / 60
  }

  func has(_ stage: SleepStage) -> Bool { parts.contains { $0.stage == stage } }

  /// Whether the source knows stages of sleep.
  var hasStages: Bool { parts.contains { [.core, .deep, .rem].contains($0.stage) } }

  /// Minutes asleep per minute in bed, in percent with two decimals; nil where the source knows nothing of
  /// waking or lying.
  var efficiency: Double? {
    guard parts.contains(where: { !$0.stage.isAsleep }) else { return nil }
    let inBed = minutes { _ in true }
    guard inBed > 0 else { return nil }
    return (10_000 * minutes(where: \.isAsleep) / inBed).rounded(.toNearestOrEven) / 100
  }

  /// Parts that overlap or touch, as one each.
  private func ranges(where isWanted: (SleepStage) -> Bool) -> [Range<Int64>] {
    let sorted = parts.filter { isWanted($0.stage) }.map(\.range)
      .sorted { $0.lowerBound < $1.lowerBound }
    return sorted.reduce(into: []) { joined, range in
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }
}
