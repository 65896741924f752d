// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilModel
import VigilSQL
import VigilSQLite
import VigilStorage

@Suite struct VigilSQLiteExamples {
  /// Sources/VigilSQLite/Connection/SQLiteStorage.swift
  @Test func sqlitestorageExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let storage = try SQLiteStorage(path: file.path, mode: .createIfMissing)
    _ = try storage.migrate(at: now)
    checks.expect(0, "0", try storage.runs(limit: 10).count)
    do {
      _ = try SQLiteStorage(path: "/no/such/folder/vigil.sqlite", mode: .existing)
    } catch let error as StorageError {
      checks.expect(1, "notFound", error.code)
    }
  }
}
