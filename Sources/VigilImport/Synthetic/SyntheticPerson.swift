import Foundation
import VigilModel

/// The attributes of a person that stay the same from day to day, besides those of `SyntheticPopulation`.
///
/// Depends on the seed and the person's number alone, so that a larger data set extends a smaller one.
struct SyntheticPerson {
  let index: Int
  let id: UUID
  let birthDate: Day
  let place: SyntheticPlace
  let hasQuietHours: Bool
  let isChampion: Bool

  /// REM's share of the sleep.
  let remShare: Double
  let worksOutOnWeekday: [Bool]
  let workoutTypes: [String]
  let workoutHour: Int

  init(index: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed, person: index, stream: 1)
    self.index = index
    id = Self.id(index: index, seed: seed)
    let age = generator.integer(22...84)
    // Ages are those of autumn 2024, so that no person changes with the end of the data.
    birthDate = Day(ordinal: Int32(20_000 - age * 365 - generator.integer(0...364)))
    place = generator.element(SyntheticPlace.homes)
    hasQuietHours = generator.chance(0.8)
    isChampion = generator.chance(0.3)

    remShare = bounded(0.22 + 0.025 * generator.normal(), 0.15...0.28)
    let workoutChance = generator.uniform(0...0.5)
    worksOutOnWeekday = (0..<7).map { _ in generator.chance(workoutChance) }
    workoutTypes = [generator.element(Self.sports), generator.element(Self.sports)]
    workoutHour = generator.integer(6...20)
  }

  static func id(index: Int, seed: UInt64) -> UUID {
    UUID(name: "synthetic:\(seed):\(index)")
  }

  var timezone: String { place.rawValue }

  var externalID: String { "synthetic-\(index + 1)" }

  var displayName: String {
    let round = index / Self.names.count
    return Self.names[index % Self.names.count] + (round == 0 ? "" : " \(round + 1)")
  }

  private static let names = [
    "Ada", "Bilal", "Chiara", "Dmitri", "Elif", "Farid", "Grete", "Hiroshi", "Imani", "Jonas",
    "Kavya", "Liam", "Mei", "Noor", "Oskar", "Priya", "Quentin", "Rosa", "Samuel", "Tala",
    "Ulrike", "Viktor", "Wanjiru", "Xavier", "Yara", "Zoltan",
  ]

  private static let sports = ["Walk", "Run", "Bike", "Swim", "Yoga", "Weights", "Hike"]
}

/// `value` within `range`.
func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
  min(max(value, range.lowerBound), range.upperBound)
}
