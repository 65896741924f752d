import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilBatch
import VigilModel
import VigilStorage

/// Twice as much costs a database at most two and a half times the work, whatever there is more of.
///
/// One after the other, because the log of the server says nothing of the test that it works for.
@Suite("Growth", .serialized) struct GrowthTests {
  private static let limit = 2.5
  /// A database may do one thing in another way when there is more of it.
  private static let limitOfStatement = 3.0

  @Test(arguments: DatabaseKind.allCases, GrowthSample.allCases)
  func whatIsHeldAndLetGo(kind: DatabaseKind, sample: GrowthSample) throws {
    try expectProportional(
      kind, sample.database, "\(sample)",
      [
        .night("held night", .live, allowing: 0), .decision(.release), .familyAlerts, .queueList,
        .action(.acknowledge, after: 7300),
        .action(.snooze(until: GrowthSample.night + 9), after: 7400),
        .action(.restore, after: 7500), .action(.dismiss, after: 7600),
        .night("night after", .live, daysLater: 1), .pruning,
      ])
  }

  @Test(arguments: DatabaseKind.allCases, GrowthSample.ofOnePerson)
  func whatGoesOutAtOnce(kind: DatabaseKind, sample: GrowthSample) throws {
    try expectProportional(
      kind, sample.database, "\(sample)",
      [.night("night", .live), .night("the same night again", .live)])
  }

  @Test(arguments: DatabaseKind.allCases, GrowthSample.ofOnePerson)
  func whatIsHeldAndGivenUp(kind: DatabaseKind, sample: GrowthSample) throws {
    try expectProportional(
      kind, sample.database, "\(sample)",
      [.night("held night", .live, allowing: 0), .decision(.discard)])
  }

  @Test(arguments: DatabaseKind.allCases, GrowthSample.ofOnePerson)
  func whatAShadowRunPlans(kind: DatabaseKind, sample: GrowthSample) throws {
    try expectProportional(
      kind, sample.database, "\(sample)",
      [
        .night("held night", .live, allowing: 0), .night("shadow night", .shadow, daysLater: 1),
        .goingLive,
      ])
  }

  @Test(arguments: DatabaseKind.allCases, GrowthSample.Input.allCases)
  func whatANightReads(kind: DatabaseKind, input: GrowthSample.Input) throws {
    try expectProportional(
      kind, input.database, "\(input)",
      [
        .night("night", .shadow), .newDay, .night("next night", .shadow, daysLater: 1),
      ])
  }

  /// Does the same with one database and with another that has twice as much.
  private func expectProportional(
    _ kind: DatabaseKind, _ database: (DatabaseKind, _ times: Int) throws -> BatchDatabase,
    _ what: String, _ steps: [GrowthStep]
  ) throws {
    let small = try database(kind, 1)
    let large = try database(kind, 2)
    for step in steps {
      let work = try [small, large].map { database in
        try database.database.work { try step.carryOut(database, $0) }
      }
      Self.expectProportional(work[0], work[1], "\(step.name), twice the \(what)")
    }
  }

  /// Neither all of it nor a statement that counts grows faster than what there is.
  static func expectProportional(
    _ small: StatementWork, _ large: StatementWork, _ label: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(small.total > 0, sourceLocation: sourceLocation)
    #expect(
      Double(large.total) <= limit * Double(small.total),
      "\(label): \(small.total) become \(large.total), most in \(large.most(beyond: small) ?? "none")",
      sourceLocation: sourceLocation)
    for (sql, work) in large.byStatement {
      guard let known = small.byStatement[sql] else { continue }
      let before = max(known, small.total / 5)
      #expect(
        Double(work) <= limitOfStatement * Double(before),
        "\(label): \(before) of \(small.total) become \(work) of \(large.total) in \(sql)",
        sourceLocation: sourceLocation)
    }
  }
}
