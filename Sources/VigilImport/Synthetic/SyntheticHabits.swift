import VigilModel

/// A person's habits in taking doses, and phases in which they change; rows of `dose_labels.csv`.
struct SyntheticHabits {
  let kind: Kind
  /// The chance, in hundredths, that a dose is taken outside the phases.
  let takenPercent: Int
  /// In order and well apart.
  let phases: [Phase]

  enum Kind: String {
    /// Takes every dose, nearly all on time.
    case reliable
    case late
    case forgetful
  }

  struct Phase {
    var kind: Kind
    /// Counted from the first day of the data.
    var days: ClosedRange<Int>
    /// The share of doses that is still taken at the end, in hundredths.
    var takenPercent: Int
    var intendedLevel: AlertLevel?

    enum Kind: String {
      /// Takes less from day to day, then little.
      case decline
      case drugHoliday = "drug_holiday"
    }

    /// The days over which a decline gets worse; after them it stays the same.
    static let ramp = 6

    func share(on day: Int) -> Double {
      let rest = Double(takenPercent) / 100
      guard kind == .decline else { return rest }
      let progress = min(1, Double(day - days.lowerBound + 1) / Double(Self.ramp))
      return 1 - (1 - rest) * progress
    }
  }

  /// - Parameter takesDaily: Whether a dose is due every day; only then does a decline show day by
  ///   day.
  init(dayCount: Int, takesDaily: Bool, generator: inout SplitMix64) {
    let draw = generator.uniform()
    kind = draw < 0.55 ? .reliable : draw < 0.77 ? .late : .forgetful
    let forgetful = generator.integer(72...92)
    takenPercent = kind == .reliable ? 100 : kind == .late ? 97 : forgetful
    var phases: [Phase] = []
    var start = generator.integer(32...48)
    while true {
      let turn = generator.uniform()
      let level = generator.element([AlertLevel.day7, .day14, .day21])
      let phase =
        kind == .reliable && takesDaily && turn < 0.4
        ? Phase(
          kind: .decline, days: start...start + Self.length(for: level, &generator) - 1,
          takenPercent: generator.integer(5...30), intendedLevel: level)
        : Phase(
          kind: .drugHoliday, days: start...start + generator.integer(3...9) - 1, takenPercent: 0)
      guard phase.days.upperBound + 6 < dayCount else { break }
      if phase.kind == .decline || turn > 0.75 { phases.append(phase) }
      start = phase.days.upperBound + generator.integer(30...80)
    }
    self.phases = phases
  }

  /// The days of a decline whose alert lasts for the level: the alert begins on the third or fourth
  /// day and ends up to two days after the last.
  private static func length(
    for level: AlertLevel, _ generator: inout SplitMix64
  ) -> Int {
    switch level {
    case .day3, .day7: generator.integer(11...13)
    case .day14: generator.integer(18...20)
    case .day21: generator.integer(26...34)
    }
  }

  func phase(on day: Int) -> Phase? {
    phases.first { $0.days.contains(day) }
  }
}
