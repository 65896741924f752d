import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func oldRows(
    _ cutoffs: [RetentionCutoff], at now: Timestamp
  ) throws -> [TableRowCount] {
    try withSession { session in
      try RetainedTable.old(by: cutoffs).compactMap { table, cutoff in
        let rows = try session.oldRowCount(of: table, before: cutoff, at: now)
        return rows > 0 ? TableRowCount(table: table.name, rows: rows) : nil
      }
    }
  }

  public func removeOldRows(
    _ cutoffs: [RetentionCutoff], at now: Timestamp, into archive: any RowArchive
  ) throws -> [TableRowCount] {
    try withRunSession { session in
      try archive.begin()
      var counts: [TableRowCount] = []
      for (table, cutoff) in RetainedTable.old(by: cutoffs) {
        let rows = try session.removeOldRows(of: table, before: cutoff, at: now, into: archive)
        if rows > 0 { counts.append(TableRowCount(table: table.name, rows: rows)) }
      }
      if !counts.isEmpty { try archive.complete() }
      return counts
    }
  }

  public func restoreRows<Result>(
    _ body: (_ insert: (ArchivedRows) throws -> RestoredRows) throws -> Result
  ) throws -> Result {
    try withRunSession { session in
      var known: [String: Set<String>] = [:]
      return try body { rows in
        try session.insert(rows, known: &known, in: displayName)
      }
    }
  }
}

extension RetainedTable {
  /// The tables that have a cutoff, with it.
  fileprivate static func old(
    by cutoffs: [RetentionCutoff]
  ) -> [(table: RetainedTable, cutoff: Day)] {
    all.compactMap { table in
      cutoffs.first { $0.subject == table.subject }.map { (table, $0.before) }
    }
  }

  /// The expression that says which rows are old, and its value of the first that stays.
  fileprivate func moment(_ cutoff: Day) -> (expression: SQLExpression, first: SQLValue)? {
    switch age {
    case .day(let column): return (.column(column), cutoff.sqlValue)
    case .instant(let columns):
      let first = columns.dropFirst().reduce(SQLExpression.column(columns[0])) {
        $0.coalesced(with: .column($1))
      }
      return (first, cutoff.midnight.sqlValue)
    case .notification, .call, .run: return nil
    }
  }
}

extension SQLSession {
  /// Notifications of a page.
  private static var pageSize: Int { 1_000 }
  private static var firstID: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  fileprivate func oldRowCount(
    of table: RetainedTable, before cutoff: Day, at now: Timestamp
  ) throws -> Int {
    if let (moment, first) = table.moment(cutoff) {
      let statement = statements.statement(
        RetentionStatement.countOldRows,
        ["table": .name(table.name), "moment": .expression(moment)])
      return try rows(statement, [first]) { try $0.int() }.first ?? 0
    }
    switch table.age {
    case .run(let column):
      let statement = statements.statement(
        RetentionStatement.countRowsByID, ["table": .name(table.name), "column": .name(column)])
      return try rows(statement, [.uuids(oldRuns(before: cutoff))]) { try $0.int() }.first ?? 0
    case .call:
      return try count(
        PruneStatement.countPrunableCalls, cutoff.midnight, now.lastOfCallsActedUpon)
    default:
      return table.name == DeliveryQueue.shadow.rawValue
        ? try count(PruneStatement.countEndedShadowNotifications, cutoff.midnight, now)
        : try count(PruneStatement.countEndedNotifications, cutoff.midnight, now)
    }
  }

  private func oldRuns(before cutoff: Day) throws -> [UUID] {
    try rows(RetentionStatement.listOldRuns, cutoff.midnight) { try $0.uuid() }
  }

  /// Removes the rows of a table that are old, adds them to the archive, and returns their number.
  fileprivate func removeOldRows(
    of table: RetainedTable, before cutoff: Day, at now: Timestamp, into archive: any RowArchive
  ) throws -> Int {
    let columns = try storedColumns(of: table.name)
    var count = 0
    func add(_ rows: ArchivedRows) throws {
      guard !rows.rows.isEmpty else { return }
      count += rows.rows.count
      try archive.add(rows)
    }
    switch table.age {
    case .day, .instant:
      // A month at a time bounds the memory.
      while let end = try endOfOldestMonth(of: table, before: cutoff),
        let (moment, first) = table.moment(end)
      {
        try add(
          storedRows(
            .removeOldRows, of: table.name, columns, ["moment": .expression(moment)], [first]))
      }
    case .run(let column):
      let runs = SQLValue.uuids(try oldRuns(before: cutoff))
      try add(
        storedRows(.removeRowsByID, of: table.name, columns, ["column": .name(column)], [runs]))
    case .call:
      let calls = try rows(
        PruneStatement.listPrunableCalls, cutoff.midnight, now.lastOfCallsActedUpon
      ) { try $0.uuid() }
      try add(
        storedRows(
          .removeRowsByID, of: table.name, columns, ["column": .name("id")], [.uuids(calls)]))
    case .notification:
      let runs = SQLRunTransaction(session: self)
      var last: UUID? = Self.firstID
      while let before = last {
        let page = try runs.endedPage(
          of: table.name == DeliveryQueue.shadow.rawValue ? .shadow : .live,
          endedBefore: cutoff.midnight, at: now, after: before, limit: Self.pageSize)
        try add(
          storedRows(
            .listRowsByID, of: table.name, columns, ["column": .name("id")],
            [.uuids(page.ended.map(\.id))]))
        _ = try runs.remove(page, at: now)
        last = page.last
      }
    }
    return count
  }

  /// The first day after the month of the oldest row, or the cutoff where that is earlier; nil without an old row.
  private func endOfOldestMonth(of table: RetainedTable, before cutoff: Day) throws -> Day? {
    guard let (moment, first) = table.moment(cutoff) else { return nil }
    let statement = statements.statement(
      RetentionStatement.findOldest, ["table": .name(table.name), "moment": .expression(moment)])
    let oldest =
      try rows(statement, [first]) { row -> Day? in
        if case .day = table.age { return try row.dayIfPresent() }
        return try row.timestampIfPresent()?.utcDay
      }.first ?? nil
    return oldest.map { min($0.firstOfNextMonth, cutoff) }
  }

  /// Inserts rows of an archive.
  ///
  /// - Parameter known: By table, the ids that there are, as far as they have been looked up.
  fileprivate func insert(
    _ rows: ArchivedRows, known: inout [String: Set<String>], in database: String
  ) throws -> RestoredRows {
    guard let table = RetainedTable.named(rows.table) else {
      throw StorageError(
        .corrupt, "the archive has rows of \(rows.table), which no rule is about",
        remedy: "restore it with the version of Vigil that made it")
    }
    let stored = try storedColumns(of: table.name)
    let columns = try rows.columns.map { column in
      guard let found = stored.first(where: { $0.name == column.name }) else {
        throw StorageError(
          .corrupt,
          "\(database) has no column \(column.name) of \(table.name), which the archive has",
          remedy:
            "add the column with ALTER TABLE, or restore the archive with the version that made it")
      }
      return found
    }
    let isTyped = stored.allSatisfy { $0.form == .text }
    let statement = statements.statement(
      RetentionStatement.insertRow,
      [
        "table": .name(table.name), "columns": .names(columns.map(\.name)),
        "values": .expressions(
          columns.enumerated().map { $1.writing($0 + 1, isTyped: isTyped) }),
      ])
    var parents: [(place: Int, isOptional: Bool, ids: Set<String>)] = []
    for parent in table.parents {
      guard let place = columns.firstIndex(where: { $0.name == parent.column }) else { continue }
      parents.append((place, parent.isOptional, try ids(of: parent.table, known: &known)))
    }
    var result = RestoredRows()
    for row in rows.rows {
      var row = row
      var isOrphaned = false
      for (place, isOptional, ids) in parents {
        guard let id = row[place], !ids.contains(id.lowercased()) else { continue }
        if isOptional { row[place] = nil } else { isOrphaned = true }
      }
      if isOrphaned {
        result.orphaned += 1
        continue
      }
      let values = try zip(columns, row).map { try $0.value(of: $1, in: table.name) }
      let isNew = try execute(statement, values) > 0
      if isNew { result.inserted += 1 } else { result.present += 1 }
    }
    // Rows of the next files may refer to those that were inserted.
    known[table.name] = nil
    return result
  }

  private func ids(of table: String, known: inout [String: Set<String>]) throws -> Set<String> {
    if let ids = known[table] { return ids }
    let statement = statements.statement(RetentionStatement.listIDs, ["table": .name(table)])
    let ids = Set(try rows(statement, []) { try $0.uuid().lowercased })
    known[table] = ids
    return ids
  }
}
