import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// The search of runs for the doses of some medications that were due or taken within some time.
///
/// A table or view of an app may have other types, or lack the indexes that `Statements/doses.sql` speaks of:
/// one scan is then better than two.
struct DoseSelect {
  enum Way: CaseIterable {
    /// All in one scan.
    case together
    /// Doses near their planned time in one scan, doses off schedule in another.
    case apart
  }

  private let select: MedicationSelect
  /// The types of both times; nil for one that is missing.
  private let scheduledType: String?
  private let actualType: String?

  init(_ select: MedicationSelect) {
    self.select = select
    scheduledType = select.type(of: "scheduled_time")
    actualType = select.type(of: "actual_time")
  }

  /// The ways that give the right rows; all give the same.
  var ways: [Way] {
    // Only times of one type can be compared with each other as the index does.
    scheduledType == actualType && scheduledType?.hasPrefix("timestamp") == true
      ? Way.allCases : [.together]
  }

  /// The type in which a time is compared.
  private static func compared(_ type: String?) -> String { type ?? "timestamp with time zone" }

  /// The fillings of the marks about doses that were due or taken between two instants.
  func fillings(from first: SQLExpression, to last: SQLExpression) -> SQLFillings {
    func instant(_ instant: SQLExpression, as type: String?) -> SQLFilling {
      .expression(instant.cast(to: Self.compared(type)))
    }
    return [
      "dose_columns": .expressions(select.expressions),
      "scheduled_time": scheduledType == nil ? .expression(.null) : .name("scheduled_time"),
      "actual_time": actualType == nil ? .expression(.null) : .name("actual_time"),
      "scheduled_instant": .expression(select.expression(for: "scheduled_time")),
      "actual_instant": .expression(select.expression(for: "actual_time")),
      "first_scheduled": instant(first, as: scheduledType),
      "last_scheduled": instant(last, as: scheduledType),
      "first_actual": instant(first, as: actualType),
      "last_actual": instant(last, as: actualType),
    ]
  }

  // MARK: Doses of a batch

  /// The fillings for the doses of some medications, of each from an instant of its own on.
  func fillings(
    medications: [UUID], from firsts: [Timestamp], through last: Timestamp
  ) -> SQLFillings {
    // Their spelling knows only the years of the calendar.
    let least = Day.calendar.lowerBound.midnight
    let most = (Day.calendar.upperBound + 1).midnight.adding(seconds: -1)
    let firsts = SQLExpression.literal(firsts.map { min(max($0, least), most) })
    var fillings = fillings(from: .null, to: .literal(min(max(last, least), most)))
    fillings["medications"] = .expression(.literal(medications))
    for (column, type) in [("scheduled", scheduledType), ("actual", actualType)] {
      fillings["first_\(column)_times"] = .expression(
        firsts.cast(to: "\(Self.compared(type))[]"))
      fillings["first_\(column)"] = .expression(
        SQLExpression(unsafeSQL: "searched.first_\(column)"))
    }
    return fillings
  }

  /// The way that the planner expects to be the least work.
  func cheapestWay(
    for medications: [UUID], from firsts: [Timestamp], through last: Timestamp,
    on connection: Connection
  ) throws -> Way {
    guard ways.count > 1 else { return .together }
    let fillings = fillings(medications: medications, from: firsts, through: last)
    let costs = try ways.map { way in
      let plan = try connection.text(way.explaining, Parameters(), fillings)
      return (way, Self.cost(ofPlan: plan))
    }
    return costs.min { $0.1 < $1.1 }?.0 ?? .together
  }

  private static func cost(ofPlan json: String) -> Double {
    let plans = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    let plan = plans?.first?["Plan"] as? [String: Any]
    return (plan?["Total Cost"] as? NSNumber)?.doubleValue ?? .infinity
  }
}

extension DoseSelect.Way {
  /// The COPY that reads doses this way.
  var copying: DoseStatement {
    switch self {
    case .together: .copyDosesTogether
    case .apart: .copyDosesApart
    }
  }

  fileprivate var explaining: DoseStatement {
    switch self {
    case .together: .explainDosesTogether
    case .apart: .explainDosesApart
    }
  }

  /// The query for persons with doses, schedules and measurements that looks for doses this way.
  var listingPersons: DoseStatement {
    switch self {
    case .together: .listPersonsWithDataTogether
    case .apart: .listPersonsWithDataApart
    }
  }
}
