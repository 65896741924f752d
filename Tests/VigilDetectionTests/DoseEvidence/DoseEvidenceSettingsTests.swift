import Foundation
import TestSupport
import Testing
import VigilDetection
import VigilModel

@Suite struct DoseEvidenceSettingsTests {
  private let schema: JSONSchema

  init() throws {
    schema = try JSONSchema(
      contentsOf: SharedFolder.repository.appending(path: "thresholds/thresholds.schema.json"))
  }

  private func read(_ keys: String = "") throws -> DoseEvidenceSettings {
    let file = BadThresholdsFile.file(metrics: BadThresholdsFile.doses(keys))
    let thresholds = try Thresholds(json: Data(file.utf8), file: "test.json", digest: "")
    let metric = try thresholds.metric("dose_adherence_pct")
    #expect(metric.detector == .doseEvidence && metric.rules.isEmpty)
    return try #require(metric.doses)
  }

  /// The schema of each key that is a number, by section and key.
  private func properties() throws -> [(section: String?, key: String, schema: JSON)] {
    let all = try #require(schema.root["$defs"]?["metricUnderDoseEvidence"]?["properties"])
    var found: [(section: String?, key: String, schema: JSON)] = []
    for (name, property) in all.members.sorted(by: { $0.key < $1.key }) {
      let isEpisode = name == "episode"
      let section = isEpisode ? schema.root["$defs"]?["episodeOfEvidence"] : property
      if let keys = section?["properties"]?.members {
        found += keys.sorted { $0.key < $1.key }.map { (name, $0.key, $0.value) }
      } else if property["minimum"] != nil {
        found.append((nil, name, property))
      }
    }
    return found
  }

  private func keys(_ section: String?, _ key: String, _ value: String) -> String {
    section.map { "\"\($0)\": { \"\(key)\": \(value) }" } ?? "\"\(key)\": \(value)"
  }

  @Test func everyDefaultOfTheSchemaIsThatOfTheEngine() throws {
    let usual = try read()
    #expect(usual == DoseEvidenceSettings())
    let properties = try properties()
    #expect(properties.count == 28)
    for (section, key, property) in properties {
      let value = try #require(property["default"]?.number, "\(key)")
      #expect(try read(keys(section, key, "\(value)")) == usual, "\(section ?? "") \(key)")
    }
    #expect(try read("\"thresholds\": { \"7\": 8, \"10\": 9.5, \"14\": 9.7 }") == usual)
    #expect(try read("\"feed_limit\": null").feedLimit == nil)
  }

  /// A value beyond the range is refused at its key by both, and changes nothing else.
  @Test func theRangesOfTheSchemaAreThoseOfTheParser() throws {
    for (section, key, property) in try properties() {
      let least = try #require(property["minimum"]?.number)
      let greatest = try #require(property["maximum"]?.number)
      for value in [least - 1, greatest + 1] {
        let text = BadThresholdsFile.file(
          metrics: BadThresholdsFile.doses(keys(section, key, "\(value)")))
        let place = "$.metrics.dose_adherence_pct." + (section.map { $0 + "." } ?? "") + key
        let error = #expect(throws: ThresholdsError.self, "\(place) \(value)") {
          try Thresholds(json: Data(text.utf8), file: "", digest: "")
        }
        #expect(error?.problems.map(\.path) == [place], "\(value)")
        #expect(schema.problems(of: try JSON(text: text)) != [], "\(place) \(value)")
      }
      // Others must fit the least and the greatest value of some keys, which then stand in the message.
      for value in [least, greatest] {
        let text = BadThresholdsFile.file(
          metrics: BadThresholdsFile.doses(keys(section, key, "\(value)")))
        #expect(schema.problems(of: try JSON(text: text)) == [], "\(key) \(value)")
        do {
          _ = try Thresholds(json: Data(text.utf8), file: "", digest: "")
        } catch let error as ThresholdsError {
          #expect(error.problems.allSatisfy { !$0.message.contains("must be a") }, "\(error)")
        }
      }
    }
  }
}
