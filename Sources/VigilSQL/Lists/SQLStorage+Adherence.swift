public import Foundation
public import VigilAdherence
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func doseAnalytics(
    of users: [UUID]?, period: AdherencePeriod.Kind, endingOn day: Day?
  ) throws -> [StoredDoseAnalytics] {
    let name: ResultStatement =
      switch (users != nil, day != nil) {
      case (false, false): .listNewestDoseAnalytics
      case (false, true): .listDoseAnalyticsOn
      case (true, false): .listNewestDoseAnalyticsOfPersons
      case (true, true): .listDoseAnalyticsOfPersonsOn
      }
    let values: [SQLValue] =
      [.text(period.rawValue)] + (day.map { [.day($0)] } ?? []) + (users.map { [.uuids($0)] } ?? [])
    return try withSession { session in
      try session.rows(session.statements.statement(name), values) {
        try DoseAnalyticsRow.decode(&$0)
      }
    }
  }
}
