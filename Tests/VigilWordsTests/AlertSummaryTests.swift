import Testing
import VigilModel

@testable import VigilWords

/// The sentences of all branches in all languages.
@Suite struct AlertSummaryTests {
  private let since: Day

  init() throws {
    since = try #require(Day("2026-06-03"))
  }

  private func episode(
    days: Int, usual: Double, recent: Double, openedAfter opening: Int? = nil, windowDays: Int = 9
  ) -> Episode {
    let figures = EpisodeFigures(
      baseline: .init(value: usual, start: since - 21, end: since - 1, count: 21),
      recent: .init(value: recent, start: since + (days - 3), end: since + (days - 1), count: 3))
    return Episode(
      activeSince: since, lastEvaluated: since + (days - 1), duration: days,
      level: AlertLevel(duration: days), figures: figures,
      evidence: opening.map {
        EpisodeEvidence(
          openedOn: since + ($0 - 1), windowDays: windowDays, z: 5, threshold: 4, shift: 1.4,
          anchor: EvidenceAnchor(mean: 1, spread: 1, autocorrelation: 0))
      })
  }

  private func sentences(of summary: AlertSummary) -> [String] {
    ["en", "de", "es"].map { Words.shipped($0).sentence(of: summary) }
  }

  private func summary(
    _ metric: String, _ pattern: PatternType, _ episode: Episode, limit: Double? = nil
  ) -> AlertSummary {
    AlertSummary(episode, of: MetricType(metric), pattern, limit: limit)
  }

  // MARK: One metric

  @Test func aDropUnderMeans() {
    #expect(
      sentences(
        of: summary("sleep_minutes", .drop, episode(days: 17, usual: 412.4, recent: 297.2)))
        == [
          "Sleep: lower than usual for 17 days (28 % below the usual level: 4 h 57 min, usually 6 h 52 min)",
          "Schlaf: seit 17 Tagen niedriger als sonst (28 % unter dem üblichen Wert: 4 h 57 min, sonst 6 h 52 min)",
          "Sueño: por debajo de lo habitual desde hace 17 días (un 28 % menos que el nivel habitual: 4 h 57 min, normalmente 6 h 52 min)",
        ])
  }

  @Test func aRiseUnderMeans() {
    #expect(
      sentences(of: summary("resting_hr", .rise, episode(days: 3, usual: 60, recent: 62.7)))
        == [
          "Resting heart rate: higher than usual for 3 days (4.5 % above the usual level: 62.7 bpm, usually 60)",
          "Ruhepuls: seit 3 Tagen höher als sonst (4,5 % über dem üblichen Wert: 62,7 Schläge pro Minute, sonst 60)",
          "Frecuencia cardíaca en reposo: por encima de lo habitual desde hace 3 días (un 4,5 % más que el nivel habitual: 62,7 lpm, normalmente 60)",
        ])
  }

  /// A message said "lower than usual for 3 days (211 % below the usual level)" of it.
  @Test func adherenceThatRoseFromTwentyOneToSixtySevenPercentIsBelowEighty() {
    let doses = summary(
      "dose_adherence_pct", .drop, episode(days: 3, usual: 21.5, recent: 66.9), limit: 80)
    #expect(
      sentences(of: doses) == [
        "Doses taken: below 80 % for 3 days (66.9 %, usually 21.5 %)",
        "Eingenommene Dosen: seit 3 Tagen unter 80 % (66,9 %, sonst 21,5 %)",
        "Dosis tomadas: por debajo del 80 % desde hace 3 días (66,9 %, normalmente 21,5 %)",
      ])
    for language in ["en", "de", "es"] {
      let text = Words.shipped(language).headline(of: doses)
      #expect(text.contains("80 %"))
      for word in ["lower", "niedriger", "lo habitual", "211"] { #expect(!text.contains(word)) }
    }
  }

  @Test func aDropWithoutAKnownLimitThatIsNoneIsAChange() {
    let changed = summary(
      "dose_adherence_pct", .drop, episode(days: 3, usual: 21.5, recent: 66.9))
    #expect(
      sentences(of: changed) == [
        "Doses taken: changed for 3 days (66.9 %, usually 21.5 %)",
        "Eingenommene Dosen: seit 3 Tagen verändert (66,9 %, sonst 21,5 %)",
        "Dosis tomadas: un cambio desde hace 3 días (66,9 %, normalmente 21,5 %)",
      ])
  }

  @Test func evidenceSaysItsWindowOnTheDayThatOpened() {
    #expect(
      sentences(
        of: summary(
          "steps", .drop, episode(days: 9, usual: 8420, recent: 5373, openedAfter: 9)))
        == [
          "Steps: lower than usual for 9 days (36 % below the usual level over the last 9 days: 5,373 steps, usually 8,420)",
          "Schritte: seit 9 Tagen niedriger als sonst (36 % unter dem üblichen Wert in den letzten 9 Tagen: 5.373 Schritte, sonst 8.420)",
          "Pasos: por debajo de lo habitual desde hace 9 días (un 36 % menos que el nivel habitual en los últimos 9 días: 5.373 pasos, normalmente 8.420)",
        ])
  }

  @Test func laterTheSizeIsThatOfTheBeginning() {
    #expect(
      sentences(
        of: summary(
          "steps", .drop, episode(days: 14, usual: 8420, recent: 5373, openedAfter: 9)))
        == [
          "Steps: lower than usual for 14 days (at first 36 % below the usual level: 5,373 steps, usually 8,420)",
          "Schritte: seit 14 Tagen niedriger als sonst (anfangs 36 % unter dem üblichen Wert: 5.373 Schritte, sonst 8.420)",
          "Pasos: por debajo de lo habitual desde hace 14 días (al principio un 36 % menos que el nivel habitual: 5.373 pasos, normalmente 8.420)",
        ])
  }

  @Test func aSizeThatIsNothingToSayIsLeftOut() {
    let words = Words.english
    #expect(
      words.sentence(of: summary("steps", .rise, episode(days: 1, usual: 0, recent: 5)))
        == "Steps: higher than usual for 1 day (5 steps, usually 0)")
    for deviation in [1.9e36, -1e300, 1000, 0.0001] {
      let summary = AlertSummary(
        metric: MetricType("steps"), days: 3,
        change: .value(.lower, .init(deviation: deviation)))
      #expect(words.sentence(of: summary) == "Steps: lower than usual for 3 days")
    }
  }

  @Test func aMetricThatHasNoWordIsAMeasurement() {
    let unknown = summary("grip_strength", .drop, episode(days: 3, usual: 10, recent: 5))
    #expect(
      sentences(of: unknown).map { $0.prefix { $0 != ":" } } == [
        "A measurement", "Ein Messwert", "Una medida",
      ])
    #expect(
      Words.english.naming { $0.rawValue }.headline(of: unknown)
        == "Grip_strength: lower than usual for 3 days")
  }

  // MARK: Others

  @Test func severalMetricsTogether() {
    let summary = AlertSummary(
      metric: .combined, days: 7,
      change: .together(["sleep_minutes", "steps", "resting_hr"].map { MetricType($0) }))
    #expect(
      sentences(of: summary) == [
        "Sleep, steps and resting heart rate: together worse than usual for 7 days",
        "Schlaf, Schritte und Ruhepuls: seit 7 Tagen zusammen schlechter als sonst",
        "Sueño, pasos y frecuencia cardíaca en reposo: en conjunto peor de lo habitual desde hace 7 días",
      ])
  }

  @Test func silence() {
    func texts(_ metric: MetricType, days: Int) -> [String] {
      sentences(of: AlertSummary(metric: metric, days: days, change: .silence))
    }
    #expect(
      texts(.inactivity, days: 5) == [
        "No data for 5 days", "Keine Daten seit 5 Tagen", "Sin datos desde hace 5 días",
      ])
    #expect(
      texts(.checkInOverdue, days: 1) == [
        "Check-in overdue for 1 day", "Rückmeldung überfällig seit 1 Tag",
        "Confirmación pendiente desde hace 1 día",
      ])
  }

  @Test func somethingAboutAMedication() {
    #expect(
      sentences(of: AlertSummary(metric: .missedStreak, days: 4, change: .medication)) == [
        "Missed doses for 4 days", "Nicht eingenommene Dosen seit 4 Tagen",
        "Dosis no tomadas desde hace 4 días",
      ])
  }

  // MARK: Doses

  private func doses(
    days: Int, openedAfter opening: Int, recorded: Bool = true, usual missed: Int = 10
  ) -> Episode {
    var episode = episode(days: days, usual: 90, recent: 20)
    episode.doses = DoseEvidence(
      openedOn: since + (opening - 1), windowDays: 10, missed: 8, expected: 10, evidence: 12.4,
      threshold: 9.7, heldLevel: 0.8,
      anchor: DoseAnchor(
        missed: missed, expected: 100, share: 0.1, withinDay: 0.5,
        weekdays: SIMD8(repeating: 0.1), run: 0, countedDoses: 105),
      recordedOn: recorded ? since : nil)
    return episode
  }

  @Test func missedDosesAreCounts() {
    let opened = summary("dose_adherence_pct", .drop, doses(days: 10, openedAfter: 10))
    #expect(
      sentences(of: opened) == [
        "Doses: missed 8 of the last 10 since 2026-06-03, usually 1 of 10",
        "Dosen: 8 der letzten 10 seit 2026-06-03 nicht eingenommen, sonst 1 von 10",
        "Dosis: 8 de las últimas 10 no tomadas desde el 2026-06-03, normalmente 1 de 10",
      ])
    let later = summary(
      "dose_adherence_pct", .drop, doses(days: 14, openedAfter: 10, usual: 0))
    #expect(
      sentences(of: later) == [
        "Doses: missed 8 of 10 from 2026-06-03 to 2026-06-12, usually none",
        "Dosen: 8 von 10 vom 2026-06-03 bis 2026-06-12 nicht eingenommen, sonst keine",
        "Dosis: 8 de 10 no tomadas del 2026-06-03 al 2026-06-12, normalmente ninguna",
      ])
  }

  @Test func whereNothingWasRecordedNothingIsSaidToBeMissed() {
    #expect(
      sentences(
        of: summary(
          "dose_adherence_pct", .drop, doses(days: 10, openedAfter: 10, recorded: false)))
        == [
          "Doses: none recorded since 2026-06-03",
          "Dosen: keine eingetragen seit 2026-06-03",
          "Dosis: ninguna registrada desde el 2026-06-03",
        ])
  }

  @Test func withoutCountsMoreThanUsualAreMissed() {
    let summary = AlertSummary(
      metric: .doseAdherence, days: 14,
      change: .doses(.init(counts: nil, usual: UsualMisses(share: 0), isRecorded: true)))
    #expect(
      sentences(of: summary) == [
        "Doses: more missed than usual, usually none",
        "Dosen: mehr als sonst nicht eingenommen, sonst keine",
        "Dosis: más no tomadas que de costumbre, normalmente ninguna",
      ])
  }
}
