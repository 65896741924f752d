import Foundation
import VigilModel

/// A medication that a person takes, with its schedules.
struct SyntheticMedication {
  let id: UUID
  let product: Product
  let startDay: Day
  let endDay: Day?
  let isActive: Bool
  let isDeleted: Bool
  /// One schedule, or two where another follows the first.
  let schedules: [SyntheticSchedule]
  /// Whether doses are logged with the time they were due.
  let logsDueTimes: Bool
  /// Whether as-needed doses name their schedule.
  let namesSchedule: Bool

  /// Whether its doses are expected at all; those of others are left out.
  var counts: Bool { !isDeleted && (isActive || endDay != nil) }

  /// Whether doses are due on every day of the data.
  var isDaily: Bool {
    guard counts, endDay == nil, schedules.count == 1 else { return false }
    if case .daily(_, nil) = schedules[0].timing { return true }
    return false
  }

  struct Product {
    let name: String
    let dosage: String
    let form: String
  }

  /// The changes of a treatment during the days of the data.
  private enum Course {
    case steady, startsLater, ends, switches, stopsWithoutEndDate, deleted
  }

  init(
    number: Int, of person: SyntheticPerson, seed: UInt64, days: ClosedRange<Day>,
    trip: SyntheticTrip?, zones: SyntheticZones, generator: inout SplitMix64
  ) {
    let name = "synthetic:\(seed):\(person.index):medication:\(number)"
    id = UUID(name: name)
    var timings = [
      SyntheticSchedule.Timing(generator: &generator),
      SyntheticSchedule.Timing(generator: &generator),
    ]
    if timings[0].isAsNeeded || timings[1].isAsNeeded { timings[1] = timings[0] }
    // Travellers have no other change.
    let course = Self.course(generator.uniform(), mayChange: trip == nil)
    let dayCount = days.upperBound - days.lowerBound + 1
    let turn =
      days.lowerBound + generator.integer(dayCount / 4...max(dayCount / 4, dayCount * 3 / 4))
    product = generator.element(timings[0].isAsNeeded ? Self.asNeeded : Self.regular)
    let staysActive = generator.chance(0.4)
    startDay = course == .startsLater ? turn : days.lowerBound
    endDay = course == .ends ? turn : nil
    isActive = course == .ends ? staysActive : course != .stopsWithoutEndDate
    isDeleted = course == .deleted
    logsDueTimes = !generator.chance(0.1)
    namesSchedule = generator.chance(0.5)
    let lastDay: Day? =
      switch course {
      case .ends, .stopsWithoutEndDate, .deleted: turn
      case .steady, .startsLater, .switches: nil
      }
    let switches = course == .switches && turn < days.upperBound
    if !switches { timings.removeLast() }
    let start = startDay
    schedules = timings.enumerated().map { index, timing in
      SyntheticSchedule(
        id: UUID(name: "\(name):schedule:\(index)"), timing: timing,
        startDay: index == 0 ? start : turn + 1,
        endDay: switches && index == 0 ? turn : nil, lastDay: lastDay, home: person.place,
        trip: trip, zones: zones, generator: &generator)
    }
  }

  private static func course(_ draw: Double, mayChange: Bool) -> Course {
    guard mayChange else { return .steady }
    return switch draw {
    case ..<0.64: .steady
    case ..<0.74: .startsLater
    case ..<0.84: .ends
    case ..<0.92: .switches
    case ..<0.96: .stopsWithoutEndDate
    default: .deleted
    }
  }

  /// All medications of a person.
  ///
  /// - Parameter mean: The average over all persons; where it is 1, a good third take nothing.
  static func plan(
    for person: SyntheticPerson, mean: Double, seed: UInt64, days: ClosedRange<Day>,
    trip: SyntheticTrip?, zones: SyntheticZones, generator: inout SplitMix64
  ) -> [SyntheticMedication] {
    let draws = (generator.uniform(), generator.uniform(), generator.uniform())
    guard mean > 0 else { return [] }
    let shareOfTakers = min(mean, mean / (mean + 0.67))
    guard draws.0 < shareOfTakers else { return [] }
    // Uniform around its mean, and rounded at random so that the mean is exact.
    let others = draws.1 * 2 * (mean / shareOfTakers - 1) + draws.2
    return (0...Int(others)).map { number in
      SyntheticMedication(
        number: number, of: person, seed: seed, days: days, trip: trip, zones: zones,
        generator: &generator)
    }
  }

  private static let regular = [
    Product(name: "Metformin", dosage: "500 mg", form: "pill"),
    Product(name: "Amlodipine", dosage: "5 mg", form: "pill"),
    Product(name: "Omeprazole", dosage: "20 mg", form: "capsule"),
    Product(name: "Levothyroxine", dosage: "50 mcg", form: "pill"),
    Product(name: "Atorvastatin", dosage: "20 mg", form: "pill"),
    Product(name: "Latanoprost", dosage: "1 drop", form: "drops"),
    Product(name: "Budesonide", dosage: "2 puffs", form: "inhaler"),
    Product(name: "Amoxicillin", dosage: "5 ml", form: "liquid"),
  ]

  private static let asNeeded = [
    Product(name: "Ibuprofen", dosage: "400 mg", form: "pill"),
    Product(name: "Salbutamol", dosage: "2 puffs", form: "inhaler"),
    Product(name: "Paracetamol", dosage: "500 mg", form: "pill"),
  ]
}
