public import CVigil

// The functions of `vigil.h` that come before the first rows.

@c @implementation public func vigil_set_days(
  _ evaluator: OpaquePointer?, _ first: Int32, _ last: Int32,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    try evaluator.setDays(from: first, to: last)
  }
}

@c @implementation public func vigil_set_together(
  _ evaluator: OpaquePointer?, _ together: Int32,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    try evaluator.setTogether(together != 0)
  }
}

@c @implementation public func vigil_set_explains_days(
  _ evaluator: OpaquePointer?, _ explains: Int32,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    try evaluator.setExplainsDays(explains != 0)
  }
}

@c @implementation public func vigil_set_columns(
  _ evaluator: OpaquePointer?, _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let names, count >= 0 else { throw .argument("names is NULL or count is negative") }
    var columns: [String] = []
    for name in UnsafeBufferPointer(start: names, count: count) {
      guard let name else { throw .argument("a name is NULL") }
      columns.append(String(cString: name))
    }
    try evaluator.setColumns(columns)
  }
}

@c @implementation public func vigil_set_scores(
  _ evaluator: OpaquePointer?, _ settings: UnsafePointer<CChar>?, _ length: Int,
  _ name: UnsafePointer<CChar>?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard length >= 0 else { throw .argument("length is more than memory can hold") }
    guard settings != nil || name != nil else { throw .argument("settings and name are NULL") }
    try evaluator.setScores(
      settings: settings.map { Array(UnsafeRawBufferPointer(start: $0, count: length)) },
      name: name.map { String(cString: $0) } ?? "settings")
  }
}

@c @implementation public func vigil_set_adherence(
  _ evaluator: OpaquePointer?, _ measures: Int32,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    try evaluator.setMeasuresAdherence(measures != 0)
  }
}

@c @implementation public func vigil_set_keeps_alerts(
  _ evaluator: OpaquePointer?, _ keeps: Int32,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    try evaluator.setKeepsAlerts(keeps != 0)
  }
}

@c @implementation public func vigil_set_evaluated_at(
  _ evaluator: OpaquePointer?, _ microseconds: Int64,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    try evaluator.setEvaluatedAt(microseconds)
  }
}

@c @implementation public func vigil_set_broken_days(
  _ evaluator: OpaquePointer?, _ table: Int32, _ days: UnsafePointer<Int32>?, _ count: Int,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard count >= 0, days != nil || count == 0 else {
      throw .argument("days is NULL or count is more than memory can hold")
    }
    try evaluator.setBrokenDays(
      of: try InputTable(table), Array(UnsafeBufferPointer(start: days, count: count)))
  }
}

@c @implementation public func vigil_set_zones(
  _ evaluator: OpaquePointer?, _ folder: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let folder else { throw .argument("folder is NULL") }
    try evaluator.setZones(folder: String(cString: folder))
  }
}
