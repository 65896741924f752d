public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState] {
    try withSession { try $0.alertStates(matching: filter) }
  }
}

extension SQLSession {
  func alertStates(matching filter: AlertFilter) throws -> [PatternAlertState] {
    if let id = filter.id {
      let found = try rows(ResultStatement.listAlertStatesByID, id.lowest, id.highest) {
        try AlertStateRow.decode(&$0)
      }
      return filter.matches(among: found)
    }
    let name =
      filter.users == nil
      ? ResultStatement.listAlertStates : ResultStatement.listAlertStatesOfPersons
    let values = filter.values + (filter.users.map { [.uuids($0)] } ?? [])
    return try rows(statements.statement(name), values) { try AlertStateRow.decode(&$0) }
  }
}

extension AlertFilter {
  /// The parameters of the lists, without the persons.
  var values: [SQLValue] {
    [
      (metric?.rawValue).sqlValue, isActive.map { $0 ? "active" : "resolved" }.sqlValue,
      (minimumLevel?.rawValue).sqlValue, (days?.upperBound).sqlValue, (days?.lowerBound).sqlValue,
      limit.map { max(0, $0) }.sqlValue,
    ]
  }

  /// The rows among the few of an id that the other conditions let through.
  fileprivate func matches(among states: [PatternAlertState]) -> [PatternAlertState] {
    let found = states.filter { state in
      (users.map { $0.contains(state.series.user) } ?? true)
        && (metric.map { $0 == state.series.metric } ?? true)
        && (isActive.map { $0 == state.episode.isActive } ?? true)
        && (minimumLevel.map { $0.rawValue <= state.episode.level.rawValue } ?? true)
        && (days.map {
          state.episode.activeSince <= $0.upperBound && state.episode.lastEvaluated >= $0.lowerBound
        } ?? true)
    }
    return limit.map { Array(found.prefix(max(0, $0))) } ?? found
  }
}
