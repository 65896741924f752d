// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilDetection
import VigilModel

@Suite struct LibraryPageExamples {
  /// docs/library.md
  @Test func libraryExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let data = Data(#"{"version": "mine"}"#.utf8)
    do {
      _ = try Thresholds(json: data, file: "my-thresholds.json", digest: "")
    } catch let error as ThresholdsError {
      for problem in error.problems {
        checks.expect(0, "$.metrics is missing; an object of at least one metric", problem.path, problem.message)
      }
    }
  }
}
