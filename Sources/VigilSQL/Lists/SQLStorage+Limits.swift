public import Foundation
public import VigilModel
import VigilStorage

/// Limits of values of single persons.
extension SQLStorage {
  public func limitedPersons() throws -> [UUID] {
    try withSession { try $0.rows(LimitStatement.listLimitedPersons) { try $0.uuid() } }
  }

  public func add(_ limit: PersonLimit, of person: UUID, note: String?) throws -> Bool {
    try withTransaction(on: InputTable.personLimits.name) { session in
      let rule = limit.limit
      return try session.execute(
        LimitStatement.addLimit, person, rule.metric.rawValue, rule.direction.rawValue, rule.value,
        rule.days, rule.severity.rawValue, limit.days.lowerBound, limit.days.upperBound,
        limit.setBy, note) > 0
    }
  }

  public func end(_ limit: PersonLimit, of person: UUID, on last: Day) throws -> Bool {
    try withTransaction(on: InputTable.personLimits.name) { session in
      try session.execute(
        LimitStatement.endLimit, person, limit.limit.metric.rawValue,
        limit.limit.direction.rawValue, limit.limit.days, limit.days.lowerBound, last) > 0
    }
  }

  public func remove(_ limit: PersonLimit, of person: UUID) throws -> Bool {
    try withTransaction(on: InputTable.personLimits.name) { session in
      try session.execute(
        LimitStatement.removeLimit, person, limit.limit.metric.rawValue,
        limit.limit.direction.rawValue, limit.limit.days, limit.days.lowerBound) > 0
    }
  }
}
