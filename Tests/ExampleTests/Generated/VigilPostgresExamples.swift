// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilModel
import VigilPostgres
import VigilSQL
import VigilStorage

@Suite struct VigilPostgresExamples {
  /// Sources/VigilPostgres/Connection/PostgresStorage.swift
  func postgresStorageExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let storage = try PostgresStorage(url: "postgres://vigil@db.example.org/health", schema: "vigil")
    try storage.requireCurrentSchema()
    let failed = try storage.runs(limit: 10).filter { $0.status == .failed }
    checks.expect(0, "0", failed.count)
  }
}
