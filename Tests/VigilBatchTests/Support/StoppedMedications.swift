import Foundation
import TestDatabases
import TestSupport
import VigilModel
import VigilStorage

/// Persons with medications of which one is not taken any more, or whose injection is overdue; their mother is
/// notified.
struct StoppedMedications {
  static let start = Day(ordinal: 20_454)  // 2026-01-01
  static let days = 100

  enum Person: String, CaseIterable {
    /// Takes five of six medications on: the sum hides that one was stopped.
    case stopsOneOfSix
    /// Stops the only medication, and takes it again from the tenth day on.
    case stopsAll
    /// Forgets a tenth of the doses of two medications.
    case isForgetful
    /// Has an injection every four weeks, of which one is never given and one is given late.
    case hasInjections

    var id: UUID { UUID(name: rawValue) }

    var medications: Int {
      switch self {
      case .stopsOneOfSix: 6
      case .stopsAll, .hasInjections: 1
      case .isForgetful: 2
      }
    }

    var everyDays: Int { self == .hasInjections ? 28 : 1 }

    func medication(_ number: Int) -> UUID { UUID(name: "\(rawValue) medication \(number)") }

    func schedule(_ number: Int) -> UUID { UUID(name: "\(rawValue) schedule \(number)") }
  }

  /// A dose that was taken, and how many days late.
  struct Dose: Hashable {
    var person: Person
    var medication: Int
    var day: Int
    var late = 0
  }

  /// All doses, in the order of their days.
  let doses: [Dose]

  init(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var doses: [Dose] = []
    for day in 0..<Self.days {
      for person in Person.allCases where day % person.everyDays == 0 {
        for medication in 0..<person.medications {
          let isForgotten = random.chance(0.1)
          switch person {
          case .stopsOneOfSix: if medication == 0, day >= 60 { continue }
          case .stopsAll: if (60..<70).contains(day) { continue }
          case .isForgetful: if isForgotten { continue }
          case .hasInjections: if day == 28 { continue }
          }
          let late = person == .hasInjections && day == 56 ? 5 : 0
          doses.append(Dose(person: person, medication: medication, day: day, late: late))
        }
      }
    }
    self.doses = doses
  }

  /// A database with the persons and some of the doses.
  func database(
    _ kind: DatabaseKind, where isKnown: (Dose) -> Bool = { _ in true }
  ) throws -> BatchDatabase {
    let database = try BatchDatabase(kind)
    try database.insert([
      BatchDatabase.Series(
        person: Person.stopsAll.id, metric: "steps",
        values: Dictionary(
          uniqueKeysWithValues: (0..<Self.days).map {
            (Self.start + $0, Double(8000 + $0 % 7 * 100))
          }))
    ])
    let mother = UUID(name: "mother")
    for person in Person.allCases {
      let family = UUID(name: "\(person) family")
      try database.insert([
        FamilyMember(family: family, user: person.id, role: .member, inviteStatus: .accepted)
      ])
      try database.insert([
        FamilyMember(family: family, user: mother, role: .admin, inviteStatus: .accepted)
      ])
    }
    try database.storage.importRows { writer in
      let medications = try writer.inserter(
        into: .medications, columns: ["id", "user_id", "name", "dosage", "form", "start_date"],
        now: BatchDatabase.now)
      let schedules = try writer.inserter(
        into: .schedules,
        columns: [
          "id", "medication_id", "type", "reference_timezone", "start_date", "time_based_times",
          "interval_based_hours", "interval_based_first_dose_time",
        ], now: BatchDatabase.now)
      for person in Person.allCases {
        for number in 0..<person.medications {
          try medications.upsert([
            .uuid(person.medication(number)), .uuid(person.id), .text("-"), .text("-"),
            .text("pill"), .day(Self.start),
          ])
          let isDaily = person.everyDays == 1
          try schedules.upsert([
            .uuid(person.schedule(number)), .uuid(person.medication(number)),
            .text(isDaily ? "timeBased" : "intervalBased"), .text("UTC"), .day(Self.start),
            isDaily ? .text(#"["08:00"]"#) : .null,
            isDaily ? .null : .real(Double(24 * person.everyDays)),
            isDaily ? .null : .timestamp(Self.start.midnight.adding(seconds: 8 * 3600)),
          ])
        }
      }
    }
    try log(doses.filter(isKnown), in: database)
    return database
  }

  func log(_ doses: [Dose], in database: BatchDatabase) throws {
    try database.storage.importRows { writer in
      let inserter = try writer.inserter(
        into: .doseHistory,
        columns: [
          "id", "medication_id", "schedule_id", "status", "scheduled_time", "actual_time",
          "recorded_timezone",
        ], now: BatchDatabase.now)
      for dose in doses {
        let due = (Self.start + dose.day).midnight.adding(seconds: 8 * 3600)
        try inserter.upsert([
          .uuid(UUID(name: "\(dose)")), .uuid(dose.person.medication(dose.medication)),
          .uuid(dose.person.schedule(dose.medication)), .text("taken"), .timestamp(due),
          .timestamp(due.adding(seconds: Int64(dose.late) * 86_400)), .text("UTC"),
        ])
      }
    }
  }
}
