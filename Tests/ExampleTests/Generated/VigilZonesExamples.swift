// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilModel
import VigilZones

@Suite struct VigilZonesExamples {
  /// Sources/VigilZones/ZoneFolder.swift
  @Test func zoneFolderExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let zones = ZoneCatalog(source: ZoneFolder.system())
    guard let berlin = zones.rules(of: "Europe/Berlin") else { return }
    checks.expect(0, "1", berlin.local(0) / 3_600_000_000)
  }
}
