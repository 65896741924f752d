public import VigilModel

extension AlertPayload {
  /// The counts of an alert of missed doses: "missed 8 of the last 10 doses, usually 1 of 10".
  ///
  /// ```swift
  /// guard let day = Day("2026-06-12") else { return }
  /// let usual = DoseAnchor(
  ///   missed: 12, expected: 120, share: 0.1, withinDay: 0.5, weekdays: SIMD8(repeating: 0.1), run: 0,
  ///   countedDoses: 125)
  /// let evidence = DoseEvidence(
  ///   openedOn: day, windowDays: 10, missed: 8, expected: 10, evidence: 12.4, threshold: 9.7,
  ///   heldLevel: 0.8, anchor: usual, recordedOn: day - 9)
  /// let doses = AlertPayload.Doses(evidence, on: day)
  /// print(doses.missed ?? 0, doses.usual.missed, doses.usual.expected)  // 8 1 10
  /// ```
  public struct Doses: Hashable, Sendable, Codable {
    /// The doses missed in the window that opened the alert; nil on later days.
    public let missed: Int?
    /// The doses expected in that window; nil on later days.
    public let expected: Int?
    /// Whether any dose has been recorded since the alert began; otherwise the recording may have stopped.
    public let isRecorded: Bool
    /// The usual misses.
    public let usual: UsualMisses

    private enum CodingKeys: String, CodingKey {
      case missed
      case expected
      case isRecorded = "is_recorded"
      case usual
    }

    /// - Parameters:
    ///   - evidence: That of the alert.
    ///   - day: The evaluated day.
    public init(_ evidence: DoseEvidence, on day: Day) {
      let isOpening = day == evidence.openedOn
      missed = isOpening ? evidence.missed : nil
      expected = isOpening ? evidence.expected : nil
      isRecorded = evidence.recordedOn.map { $0 <= day } ?? false
      usual = UsualMisses(evidence.anchor)
    }
  }
}
