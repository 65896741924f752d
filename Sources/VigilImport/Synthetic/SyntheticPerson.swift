import Foundation
import VigilModel

/// The attributes of a person that stay the same from day to day.
///
/// Depends on the seed and the person's number alone, so that a larger data set extends a smaller one.
struct SyntheticPerson {
  let index: Int
  let id: UUID
  let birthDate: Day
  let place: SyntheticPlace
  let hasQuietHours: Bool
  let isChampion: Bool

  /// Usual values on a working day.
  let steps: Double
  let sleepMinutes: Double
  let hrv: Double
  let restingHeartRate: Double
  let sleepEfficiency: Double
  let movementMinutes: Double
  let deepSleepMinutes: Double
  let remShare: Double
  let breathingRate: Double

  /// The factor by which this person's values vary from day to day, compared with others.
  let variability: Double
  /// Factor of steps and movement by weekday, Sunday first.
  let activityByWeekday: [Double]
  /// Share of sleep gained on the nights to Saturday and Sunday.
  let weekendSleep: Double
  let worksOutOnWeekday: [Bool]
  let workoutTypes: [String]
  let workoutHour: Int

  init(index: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed, person: index, stream: 1)
    self.index = index
    id = Self.id(index: index, seed: seed)
    let age = generator.integer(22...84)
    // Ages are those of autumn 2024, so that no person changes with the end of the data.
    birthDate = Day(ordinal: Int32(20_000 - age * 365 - generator.integer(0...364)))
    place = generator.element(SyntheticPlace.homes)
    hasQuietHours = generator.chance(0.8)
    isChampion = generator.chance(0.3)

    let youth = Double(60 - age) / 40
    let fitness = generator.normal()
    let activity = 1 + 0.28 * fitness + 0.12 * generator.normal() + 0.05 * youth
    steps = bounded(8200 * activity, 3200...16_500)
    movementMinutes = bounded(50 * activity * (1 + 0.2 * generator.normal()), 30...115)
    sleepMinutes = bounded(415 + 28 * generator.normal(), 345...485)
    hrv = bounded(
      38 * (1 + 0.25 * youth + 0.14 * fitness + 0.25 * generator.normal()), 20...98)
    restingHeartRate = bounded(65 - 3.5 * fitness + 4 * generator.normal(), 50...79)
    sleepEfficiency = bounded(94 + 1.6 * generator.normal(), 90.5...97)
    deepSleepMinutes = bounded(
      sleepMinutes * (0.175 + 0.02 * youth + 0.025 * generator.normal()), 42...120)
    remShare = bounded(0.22 + 0.025 * generator.normal(), 0.15...0.28)
    breathingRate = bounded(15 + 1.4 * generator.normal(), 11.5...19.5)

    variability = generator.uniform(0.7...1.25)
    let weekend = generator.uniform(-0.16...0.14)
    activityByWeekday = (0..<7).map { weekday in
      let isWeekend = weekday == 0 || weekday == 6
      return 1 + (isWeekend ? weekend : 0) + 0.04 * generator.normal()
    }
    weekendSleep = generator.uniform(0.01...0.09)
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
