import Foundation
import GRDB
import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func diagnose(fully isFull: Bool) -> [Finding] {
    [fileFinding()]
      + [
        finding("integrity") { try isFull ? fullIntegrityFinding($0) : integrityFinding($0) },
        finding("schema") { try ledger(in: $0).finding(backup: backupPattern) },
      ] + catalogueOrFailure() + [
        finding("journal mode", journalFinding),
        finding("metrics", metricsFinding),
      ]
      + [freeSpaceFinding(), lockFinding()] + runFindings()
  }

  /// Files above this many bytes are not checked page by page: it would take minutes.
  private static let largestCheckedFile: Int64 = 1 << 30

  private func finding(_ check: String, _ body: (Database) throws -> Finding) -> Finding {
    do {
      return try read(body)
    } catch let error as StorageError {
      return Finding(check: check, status: .failure, detail: error.message, remedy: error.remedy)
    } catch {
      return Finding(check: check, status: .failure, detail: "\(error)")
    }
  }

  private func fileFinding() -> Finding {
    guard file.kind == .file else {
      return Finding(
        check: "file", status: .failure, detail: "\(displayName) has gone",
        remedy: .createEmptyDatabase)
    }
    guard file.isReadable else {
      return Finding(
        check: "file", status: .failure, detail: "\(displayName) cannot be read by this user",
        remedy: "chmod u+r \(file.path.shellWord), as its owner")
    }
    guard !file.isUnwritable else {
      return Finding(
        check: "file", status: .warning,
        detail: "\(displayName) can be read but not written: runs and imports will fail",
        remedy: "make the file and its folder \(file.folder) writable for this user")
    }
    let size = file.byteCount.map { " (\(byteText($0)))" } ?? ""
    return Finding(
      check: "file", status: .ok, detail: "\(displayName)\(size) can be read and written")
  }

  private func integrityFinding(_ db: Database) throws -> Finding {
    if let size = file.byteCount, size > Self.largestCheckedFile {
      return Finding(
        check: "integrity", status: .ok,
        detail: "not checked: \(byteText(size)) would take minutes",
        remedy: .checkEverything)
    }
    return integrityFinding(
      problems: try String.fetchAll(db, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" })
  }

  /// Also compares each index with its table, and looks for what each reference refers to.
  private func fullIntegrityFinding(_ db: Database) throws -> Finding {
    let damage = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
    var references: [String] = []
    try RawStatement(FileStatement.countBrokenReferences, on: db).forEachRow { row in
      references.append(
        "\(row.int(2)) rows of \(row.text(0)) refer to rows of \(row.text(1)) that are not there")
    }
    return integrityFinding(problems: damage + references)
  }

  private func integrityFinding(problems: [String]) -> Finding {
    guard problems.isEmpty else {
      return Finding(
        check: "integrity", status: .failure,
        detail: "\(problems.count) problems, the first: \(problems[0])",
        remedy: "restore the newest \(file.path).backup-*")
    }
    return Finding(check: "integrity", status: .ok, detail: "no damage found")
  }

  /// Nothing where another version has made the schema: then the ledger says so.
  private func catalogueOrFailure() -> [Finding] {
    guard (try? requireCurrentSchema()) != nil else { return [] }
    do {
      return try catalogueFindings()
    } catch {
      return [finding("catalogue") { _ in throw error }]
    }
  }

  private func journalFinding(_ db: Database) throws -> Finding {
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "unknown"
    guard mode == "wal" else {
      return Finding(
        check: "journal mode", status: .warning,
        detail: "\(mode): a run and its readers wait for each other",
        remedy: "sqlite3 \(file.path.shellWord) 'PRAGMA journal_mode = WAL'")
    }
    return Finding(check: "journal mode", status: .ok, detail: "wal")
  }

  private func metricsFinding(_ db: Database) throws -> Finding {
    guard try db.tableExists(MetricQuery.table) else {
      return Finding(
        check: "metrics", status: .warning, detail: "there is no table \(MetricQuery.table) yet",
        remedy: .migrate)
    }
    guard let days = try SQLiteSession(db: db, file: file).metricDays() else {
      return Finding(
        check: "metrics", status: .warning, detail: "\(MetricQuery.table) is empty",
        remedy: .importData)
    }
    var rows = 0
    try RawStatement(ReadingStatement.countMetrics, on: db).forEachRow { rows = $0.int(0) }
    return Finding(
      check: "metrics", status: .ok,
      detail: "\(rows) rows from \(days.lowerBound) to \(days.upperBound)")
  }

  private func freeSpaceFinding() -> Finding {
    guard let free = file.freeBytes else {
      return Finding(check: "free space", status: .warning, detail: "the system does not say")
    }
    // A migration copies the file first, and a run's WAL can grow by a good part of it.
    let wanted = max(64 << 20, (file.byteCount ?? 0) * 2)
    guard free >= wanted else {
      return Finding(
        check: "free space", status: .warning,
        detail: "\(byteText(free)) left in \(file.folder); \(byteText(wanted)) would be safe",
        remedy: "free some space, or move the database to a larger volume")
    }
    return Finding(
      check: "free space", status: .ok, detail: "\(byteText(free)) left in \(file.folder)")
  }

  private func lockFinding() -> Finding {
    guard let holder = FileLock.holder(of: file) else {
      return Finding(check: "run lock", status: .ok, detail: "no run holds it")
    }
    return Finding(
      check: "run lock", status: .warning, detail: "held by \(holder)",
      remedy: "wait for it to end; the lock ends with its process")
  }

  /// Nothing where there is no table of runs to look into.
  private func runFindings() -> [Finding] {
    guard (try? requireCurrentSchema()) != nil else { return [] }
    return medicationFindings() + [
      finding("runs") { db in
        .onRunningRuns(
          try SQLRunTransaction(session: SQLiteSession(db: db, file: file)).runningRuns(),
          atWork: try runsAtWork())
      }
    ]
  }

  /// Nothing where all is well.
  private func medicationFindings() -> [Finding] {
    var count = 0
    do {
      try read { db in
        try RawStatement(ReadingStatement.listOwnerlessMedications, on: db)
          .forEachRow { _ in count += 1 }
      }
    } catch {
      return [finding("medications") { _ in throw error }]
    }
    return count > 0 ? [.onMedicationsOfUnknownPersons(count)] : []
  }

  private func byteText(_ bytes: Int64) -> String {
    let mebibytes = Double(bytes) / 1_048_576
    return mebibytes < 10
      ? "\((mebibytes * 10).rounded() / 10) MiB" : "\(Int(mebibytes.rounded())) MiB"
  }
}
