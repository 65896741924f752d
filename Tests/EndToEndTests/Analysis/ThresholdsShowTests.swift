import Foundation
import ShippedThresholds
import Testing

/// `vigil thresholds show`.
@Suite struct ThresholdsShowTests {
  @Test(arguments: ["v1", "v3", "v3-strict", "vitality.v2"])
  func aShippedFileIsPrintedByteForByte(name: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.vigil("thresholds", "show", name, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(Array(run.output.utf8) == ShippedThresholds.named(name))
  }

  @Test func aFileThatIsNotThereIsRefused() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.vigil("thresholds", "show", "no.json", in: folder)
    #expect(run.status == 65 && run.output.isEmpty)
  }
}
