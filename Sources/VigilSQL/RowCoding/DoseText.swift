import Foundation
import VigilModel

/// The JSON of the evidence of missed doses, as the column `anchor` of such an alert holds it.
enum DoseText {
  /// Returns the text with its keys ascending; each number keeps every bit.
  ///
  /// JSON has only finite numbers: the text of others is empty, which the table refuses.
  static func text(of evidence: DoseEvidence) -> String {
    return (try? JSONEncoder.ofRows.encode(Members(evidence))).map {
      String(decoding: $0, as: UTF8.self)
    }
      ?? ""
  }

  /// Returns the members of a text; nil for one that Vigil cannot have written.
  static func members(of text: String) -> Members? {
    guard let found = try? JSONDecoder().decode(Members.self, from: Data(text.utf8)),
      found.isInRange
    else { return nil }
    return found
  }

  struct Members: Codable {
    var countedDoses: Double
    var expectedDoses: Int
    var heldLevel: Double
    var missedDoses: Int
    var recordedOn: Day?
    var run: Double
    var share: Double
    /// Sunday first.
    var weekdays: [Double]
    var windowExpectedDoses: Int
    var windowMissedDoses: Int
    var withinDay: Double

    private enum CodingKeys: String, CodingKey {
      case countedDoses = "counted_doses"
      case expectedDoses = "expected_doses"
      case heldLevel = "held_level"
      case missedDoses = "missed_doses"
      case recordedOn = "recorded_on"
      case run
      case share
      case weekdays
      case windowExpectedDoses = "window_expected_doses"
      case windowMissedDoses = "window_missed_doses"
      case withinDay = "within_day"
    }

    init(_ evidence: DoseEvidence) {
      let anchor = evidence.anchor
      countedDoses = anchor.countedDoses
      expectedDoses = anchor.expected
      heldLevel = evidence.heldLevel
      missedDoses = anchor.missed
      recordedOn = evidence.recordedOn
      run = anchor.run
      share = anchor.share
      weekdays = (0..<7).map { anchor.weekdays[$0] }
      windowExpectedDoses = evidence.expected
      windowMissedDoses = evidence.missed
      withinDay = anchor.withinDay
    }

    /// Whether the days of an episode can be judged against them (specification, evidence-doses.md section 5).
    var isInRange: Bool {
      weekdays.count == 7 && weekdays.allSatisfy { 0 < $0 && $0 < 1 } && 0 < share && share < 1
        && 0 < heldLevel && heldLevel < 1 && 0 <= run && run < 1 && 0 <= withinDay
        && withinDay <= 1 && 0 < countedDoses && countedDoses.isFinite && missedDoses >= 0
        && missedDoses <= expectedDoses && expectedDoses > 0 && windowMissedDoses >= 0
        && windowMissedDoses <= windowExpectedDoses && windowExpectedDoses > 0
    }

    func evidence(
      openedOn: Day, windowDays: Int, evidence: Double, threshold: Double
    ) -> DoseEvidence {
      var shares = SIMD8<Double>.zero
      for (weekday, share) in weekdays.enumerated() { shares[weekday] = share }
      return DoseEvidence(
        openedOn: openedOn, windowDays: windowDays, missed: windowMissedDoses,
        expected: windowExpectedDoses, evidence: evidence, threshold: threshold,
        heldLevel: heldLevel,
        anchor: DoseAnchor(
          missed: missedDoses, expected: expectedDoses, share: share, withinDay: withinDay,
          weekdays: shares, run: run, countedDoses: countedDoses),
        recordedOn: recordedOn)
    }
  }
}
