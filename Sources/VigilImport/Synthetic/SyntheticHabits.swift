import VigilModel

/// How a person goes about their doses: what they are like, and stretches in which it is otherwise; rows
/// of `dose_labels.csv`.
struct SyntheticHabits {
  let kind: Kind
  /// The chance, in hundredths, that a dose is taken where nothing is planted.
  let takenPercent: Int
  /// In order and well apart.
  let stretches: [Stretch]

  enum Kind: String {
    /// Takes every dose, nearly all on time.
    case reliable
    case late
    case forgetful
  }

  struct Stretch {
    var kind: Kind
    /// Counted from the first day of the data.
    var days: ClosedRange<Int>
    /// What is still taken at the end, in hundredths.
    var takenPercent: Int
    var intendedLevel: AlertLevel?

    enum Kind: String {
      /// Takes less from day to day, then little.
      case decline
      case drugHoliday = "drug_holiday"
    }

    /// Days on which a decline goes on; then it stays where it is.
    static let ramp = 6

    func share(on day: Int) -> Double {
      let rest = Double(takenPercent) / 100
      guard kind == .decline else { return rest }
      let progress = min(1, Double(day - days.lowerBound + 1) / Double(Self.ramp))
      return 1 - (1 - rest) * progress
    }
  }

  /// - Parameter takesDaily: Whether some dose is due every day; only then can a decline be seen day by day.
  init(dayCount: Int, takesDaily: Bool, generator: inout SeededGenerator) {
    let draw = generator.uniform()
    kind = draw < 0.55 ? .reliable : draw < 0.77 ? .late : .forgetful
    let forgetful = generator.integer(72...92)
    takenPercent = kind == .reliable ? 100 : kind == .late ? 97 : forgetful
    var stretches: [Stretch] = []
    var start = generator.integer(32...48)
    while true {
      let turn = generator.uniform()
      let level = generator.element([AlertLevel.day7, .day14, .day21])
      let stretch =
        kind == .reliable && takesDaily && turn < 0.4
        ? Stretch(
          kind: .decline, days: start...start + Self.length(for: level, &generator) - 1,
          takenPercent: generator.integer(5...30), intendedLevel: level)
        : Stretch(
          kind: .drugHoliday, days: start...start + generator.integer(3...9) - 1, takenPercent: 0)
      guard stretch.days.upperBound + 6 < dayCount else { break }
      if stretch.kind == .decline || turn > 0.75 { stretches.append(stretch) }
      start = stretch.days.upperBound + generator.integer(30...80)
    }
    self.stretches = stretches
  }

  /// Days of a decline after which an alert has lasted for the level: it begins on the third or fourth
  /// and outlasts the last by up to two.
  private static func length(
    for level: AlertLevel, _ generator: inout SeededGenerator
  ) -> Int {
    switch level {
    case .day3, .day7: generator.integer(11...13)
    case .day14: generator.integer(18...20)
    case .day21: generator.integer(26...34)
    }
  }

  func stretch(on day: Int) -> Stretch? {
    stretches.first { $0.days.contains(day) }
  }
}
