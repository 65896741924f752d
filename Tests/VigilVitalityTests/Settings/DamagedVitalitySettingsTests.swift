import Foundation
import ShippedThresholds
import TestSupport
import Testing
import VigilModel
import VigilVitality

/// Vitality files with other values at random: each is refused in words, or scores persons without a trap.
@Suite struct DamagedVitalitySettingsTests {
  @Test(arguments: ["v1", "v2"])
  func isRefusedOrCanBeUsed(name: String) throws {
    let file = Data(try #require(ShippedThresholds.named("vitality.\(name)")))
    let persons = RandomPersons(seed: 11, count: 4)
    var count = (used: 0, refused: 0)
    for seed in 0..<Repetitions.count(fast: 400, long: 10_000) {
      var random = SeededGenerator(seed: seed)
      let altered = FileDamage.altered(json: file, by: &random)
      do {
        let settings = try VitalitySettings(json: altered, file: "mine.json", digest: "")
        let scores = persons.scores([0, 1, 2, 3], settings: settings.scores)
        let found = (0..<4).flatMap { scores.rows(person: $0) }.joined().compactMap(\.self)
        #expect(found.allSatisfy { (0...100).contains($0) }, "seed \(seed)")
        count.used += 1
      } catch let error as ThresholdsError {
        let said = "\(error)"
        #expect(said.contains("mine.json") && said.count < 20_000, "seed \(seed)")
        count.refused += 1
      }
    }
    #expect(count.used > 20 && count.refused > 100, "\(count)")
  }
}
