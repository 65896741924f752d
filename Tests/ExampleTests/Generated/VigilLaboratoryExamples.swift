// swift-format-ignore-file
// scripts/make-examples writes this file from the documentation.

import Foundation
import Testing
import VigilAnalysis
import VigilDetection
import VigilLaboratory
import VigilModel

@Suite struct VigilLaboratoryExamples {
  /// Sources/VigilLaboratory/Calibration/FalseEpisodes.swift
  @Test func falseEpisodesExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let none = FalseEpisodes(metrics: ["steps"], counts: [12], personYears: 100)
    checks.expect(0, "0.12 0.12", none.rate.estimate, none.rate(ofMetric: 0).estimate)
  }

  /// Sources/VigilLaboratory/Changes/PlantedChange.swift
  @Test func plantedChangeExample() throws {
    let checks = Checks(3)
    defer { checks.end() }
    let change = PlantedChange(metrics: [0, 3], onset: 200, length: 30, size: 1.5, shape: .ramp(days: 10))
    checks.expect(0, "0.0 0.75 1.5", change.shift(on: 199), change.shift(on: 204), change.shift(on: 215))
    checks.expect(1, "229 0.0", change.last, change.shift(on: 230))
    let later = PlantedChange(metrics: [0, 3], onset: 200, length: 30, size: 1.5, lags: [3: 2])
    checks.expect(2, "231 1.5 0.0", later.last, later.shift(of: 0, on: 200), later.shift(of: 3, on: 201))
  }

  /// Sources/VigilLaboratory/Doses/DoseChange.swift
  @Test func doseChangeExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let stop = DoseChange(onset: 200, length: 28, missedShare: 1)
    checks.expect(0, "true false", stop.days.contains(227), stop.days.contains(228))
  }

  /// Sources/VigilLaboratory/Doses/DoseHabit.swift
  @Test func doseHabitExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let forgetful = DoseHabit.Kind.forgetful.habit
    checks.expect(0, "0.1 1", forgetful.missedShare, forgetful.dosesADay)
  }

  /// Sources/VigilLaboratory/Habits/DoseSurvey.swift
  @Test func doseSurveyExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let survey = DoseSurvey()
    checks.expect(0, "0 false", survey.people, survey.isFitted)
  }

  /// Sources/VigilLaboratory/Habits/PauseSurvey.swift
  @Test func pauseSurveyExample() throws {
    let checks = Checks(2)
    defer { checks.end() }
    guard let first = Day("2026-01-01") else { return }
    let signs = SignsOfLife(personCount: 20, days: first...(first + 99))
    for person in 0..<20 {
      for day in signs.days where day != first + 50 && day != first + 51 {
        signs.addWorn(person: person, day: day, came: nil)
      }
    }
    var survey = PauseSurvey(InactivitySettings(), days: signs.days)
    survey.add(signs)
    checks.expect(0, "20 true", survey.people, survey.isFitted)
    checks.expect(1, "[4.061, 0.618]", (survey.prior ?? []).prefix(2))
  }

  /// Sources/VigilLaboratory/Population/PopulationSurvey.swift
  @Test func populationSurveyExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    var survey = PopulationSurvey(plans: [
      .init("steps", scale: .sqrt, badDirection: -1, step: 1, limits: 0...200_000)
    ])
    guard let first = Day("2026-01-01") else { return }
    for person in 0..<20 {
      let days = (0..<60).map { first + $0 }
      let values = (0..<60).map { Double(6_000 + 997 * (($0 * 37 + person) % 11)) }
      survey.add([RealSeries(person: person, metric: "steps", days: days, values: values)])
    }
    checks.expect(0, "20 true", survey.people("steps"), survey.isFitted("steps"))
  }

  /// Sources/VigilLaboratory/Population/QuantileTable.swift
  @Test func quantileTableExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let table = QuantileTable(of: [3, 1, 2, 5, 4], points: 5)
    checks.expect(0, "3.0 1.5", table.value(at: 0.5), table.value(at: 0.125))
  }

  /// Sources/VigilLaboratory/Silence/WearHabit.swift
  @Test func wearHabitExample() throws {
    let checks = Checks(1)
    defer { checks.end() }
    let habit = WearHabit.Kind.weekends.habit
    checks.expect(0, "0.9 0.0", habit.weekendsOff, habit.pausesAYear)
  }
}
