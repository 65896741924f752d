import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct SyntheticDosesTests {
  private let data: SyntheticData
  private let folder: TemporaryFolder
  private let summary: SyntheticData.Summary

  init() throws {
    data = SyntheticData(
      people: 150, days: 120, seed: 9, endDate: try #require(Day("2026-06-30")), medications: 1.5)
    folder = try TemporaryFolder()
    summary = try data.write(to: folder.path)
  }

  private func rows(_ name: String) throws -> [[String: String]] {
    let text = try String(contentsOfFile: folder.file(name), encoding: .utf8)
    // Lists are the only quoted fields; their commas do not matter here.
    let lines = text.replacing(/"[^\n]*?"(?=[,\n])/, with: "list").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }

  private func time(_ row: [String: String], _ column: String) throws -> Timestamp? {
    guard let text = row[column], !text.isEmpty else { return nil }
    let time: Timestamp = try #require(Timestamp(text))
    return time
  }

  @Test func otherFilesDoNotDependOnThem() throws {
    let other = try TemporaryFolder()
    var data = data
    data.medications = 0
    let summary = try data.write(to: other.path)
    #expect(summary.doseRows == 0 && summary.medications == 0 && summary.travellers == 0)
    for name in SyntheticData.fileNames where !SyntheticTreatmentWriter.fileNames.contains(name) {
      let texts = try [folder, other].map {
        try String(contentsOfFile: $0.file(name), encoding: .utf8)
      }
      #expect(texts[0] == texts[1], "\(name)")
    }
    for name in SyntheticTreatmentWriter.fileNames {
      let text = try String(contentsOfFile: other.file(name), encoding: .utf8)
      #expect(text.split(separator: "\n").count == 1, "\(name)")
    }
  }

  @Test func refusesImpossibleNumbers() throws {
    var data = data
    for number in [-1, 20.5, .nan, .infinity] {
      data.medications = number
      let error = try #require(throws: ImportError.self) { try data.write(to: folder.path) }
      #expect(error.problems == ["medications must be 0 to 20"])
    }
  }

  @Test func theMeanIsTheOneAskedFor() throws {
    for mean in [0.2, 1, 2.5] {
      var data = data
      data.people = 2000
      data.days = 2
      data.medications = mean
      let other = try TemporaryFolder()
      let summary = try data.write(to: other.path)
      #expect(abs(Double(summary.medications) / 2000 - mean) < 0.08 * mean + 0.02)
    }
  }

  @Test func everyKindOfPlanOccurs() throws {
    let schedules = try rows("schedules.csv")
    #expect(schedules.count == summary.schedules)
    #expect(Set(schedules.map { $0["type"] }) == ["timeBased", "intervalBased", "asNeeded"])
    for column in [
      "time_based_days_of_week", "time_based_flexibility_minutes",
      "interval_based_max_doses_per_day", "end_date",
    ] {
      #expect(schedules.contains { $0[column] != "" }, "\(column)")
    }
    let medications = try rows("medications.csv")
    #expect(medications.count == summary.medications)
    #expect(medications.contains { $0["is_deleted"] == "true" })
    #expect(medications.contains { $0["is_active"] == "false" && $0["end_date"] == "" })
    #expect(medications.contains { $0["end_date"] != "" })
    #expect(medications.contains { $0["start_date"] != "2026-03-03" })
    #expect(Dictionary(grouping: schedules, by: { $0["medication_id"] }).contains { $1.count == 2 })
    let adjustments = try rows("schedule_adjustments.csv")
    #expect(
      Set(adjustments.compactMap { $0["strategy"] })
        == Set(ScheduleAdjustment.Strategy.allCases.map(\.rawValue)))
    let events = try rows("timezone_events.csv")
    #expect(Set(events.map { $0["user_confirmed"] }) == ["true", "false"])
    #expect(Set(events.map { $0["user_id"] }).count == summary.travellers)
  }

  @Test func everyBehaviourIsLabelled() throws {
    let labels = try rows("dose_labels.csv")
    #expect(labels.count == summary.doseBehaviours)
    #expect(
      Set(labels.compactMap { $0["behaviour"] }) == [
        "late", "forgetful", "decline", "drug_holiday", "as_needed_overuse",
      ])
    for label in labels where label["behaviour"] == "decline" {
      #expect(["7", "14", "21"].contains(label["intended_level"]))
    }
    let medications = Set(try rows("medications.csv").map { $0["id"] })
    for label in labels where label["behaviour"] == "as_needed_overuse" {
      #expect(medications.contains(label["medication_id"]))
    }
  }

  @Test func dosesEndWithTheLastDayAndAreLoggedWhereTheTravellerIs() throws {
    let doses = try rows("dose_history.csv")
    #expect(doses.count == summary.doseRows)
    #expect(Set(doses.map { $0["id"] }).count == doses.count)
    #expect(Set(doses.map { $0["status"] }) == ["taken", "skipped", "missed", "plannedSkip"])
    let days = data.endDate - 119...data.endDate
    let zones = SyntheticZones(days: days)
    let owners = Dictionary(
      uniqueKeysWithValues: try rows("medications.csv").map { ($0["id"], $0["user_id"]) })
    let homes = Dictionary(
      uniqueKeysWithValues: try rows("user_profiles.csv").map { ($0["user_id"], $0["timezone"]) })
    let events = Dictionary(grouping: try rows("timezone_events.csv"), by: { $0["user_id"] })
    var away = 0
    for dose in doses {
      let created = try #require(try time(dose, "created_at"))
      let actual = try time(dose, "actual_time")
      #expect(actual ?? created <= created)
      #expect((dose["status"] == "taken") == (actual != nil))
      let place = try #require(SyntheticPlace(rawValue: dose["recorded_timezone"] ?? ""))
      // A planned skip can be entered the evening before.
      let day = zones[place].day(at: (actual ?? created).wholeSeconds)
      #expect((days.lowerBound - 1...days.upperBound).contains(day))
      for column in ["scheduled_time", "created_at"] {
        guard let time = try time(dose, column) else { continue }
        #expect(zones[place].day(at: time.wholeSeconds) <= data.endDate)
      }
      let user = try #require(owners[dose["medication_id"]])
      let known = try (events[user] ?? []).last {
        try #require(try time($0, "transition_time")) <= actual ?? created
      }
      #expect(place.rawValue == known?["new_timezone"] ?? homes[user] ?? "")
      if place.rawValue != homes[user] { away += 1 }
    }
    #expect(away > 100)
  }

  @Test func recordsAreCorrectedByLaterRows() throws {
    let versions = Dictionary(
      grouping: try rows("dose_history.csv").filter { $0["scheduled_time"] != "" },
      by: { "\($0["schedule_id"] ?? "") \($0["scheduled_time"] ?? "")" }
    ).values.filter { $0.count > 1 }
    #expect(
      Set(versions.map { $0.compactMap { $0["status"] } }) == [
        ["missed", "taken"], ["taken", "missed"],
      ])
    for version in versions {
      #expect(
        version.map { $0["created_at"] ?? "" }.sorted() == version.map { $0["created_at"] ?? "" })
    }
  }

  @Test func theLastDayByDefaultIsOverEverywhere() throws {
    let morning = try #require(Timestamp("2026-07-01T09:59:00Z"))
    #expect(SyntheticData.lastDay(at: morning) == Day("2026-06-29"))
    #expect(SyntheticData.lastDay(at: morning.adding(seconds: 60)) == Day("2026-06-30"))
  }
}
