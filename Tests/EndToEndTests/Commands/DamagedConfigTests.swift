import Foundation
import TestDatabases
import TestSupport
import Testing

/// Files of settings with other values at random: `vigil config` shows what holds, or names the file and what is wrong.
@Suite struct DamagedConfigTests {
  private static let json = """
    {
      "database": "sqlite:night.sqlite", "format": "json", "log_level": "info", "quiet": true,
      "max_bad_rows": "2%", "max_notified_persons": "5%", "shadow_mode": "true", "thresholds": "v3",
      "time_zone": "Europe/Berlin", "vitality": "vitality.v2", "metrics_file": "night.prom"
    }
    """
  private static let yaml = """
    # Of the nightly run.
    database: sqlite:night.sqlite
    format: json
    log_level: info
    quiet: true
    max_bad_rows: 2%
    max_notified_persons: "5%"
    shadow_mode: "true"
    thresholds: v3
    time_zone: Europe/Berlin
    vitality: vitality.v2
    """

  @Test(arguments: ["json", "yaml"])
  func isShownOrRefused(ending: String) async throws {
    let folder = try TemporaryFolder()
    let file = Data((ending == "json" ? Self.json : Self.yaml).utf8)
    var statuses: [Int32: Int] = [:]
    for seed in 0..<Repetitions.count(fast: 60, long: 2_000) {
      var random = SeededGenerator(seed: seed)
      let altered =
        random.chance(0.7)
        ? FileDamage.altered(json: file, by: &random) : FileDamage.damaged(file, by: &random)
      let name = "mine-\(seed).\(ending)"
      try altered.write(to: folder.url.appending(path: name))
      let run = try await CommandRun.vigil("config", "--config", name, in: folder)
      statuses[run.status, default: 0] += 1
      #expect([0, 64, 65].contains(run.status), "seed \(seed): \(run.errors)")
      if run.status != 0 { #expect(run.errors.contains(name), "seed \(seed): \(run.errors)") }
    }
    #expect(statuses[0, default: 0] > 0 && statuses.count > 1, "\(statuses)")
  }
}
