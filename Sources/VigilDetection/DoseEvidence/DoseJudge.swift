import VigilModel

/// Weighs doses that were missed (specification, evidence-doses.md sections 2 and 3).
struct DoseJudge: Sendable {
  let settings: DoseEvidenceSettings
  /// The change that it looks for.
  let finding: DoseFinding

  /// Figures that differ by no more than this count as equal: sums in another order differ less.
  static let tolerance = 1e-9

  init(_ settings: DoseEvidenceSettings, finding: DoseFinding = .fewer) {
    self.settings = settings
    self.finding = finding
  }

  /// The usual misses on the days of a pool.
  ///
  /// - Parameter pool: Not empty.
  /// - Complexity: O(pool).
  func anchor(of pool: ArraySlice<DoseSeries.Observation>) -> DoseAnchor {
    let prior = settings.doses
    var (missed, expected) = (0, 0)
    for observation in pool {
      missed += observation.missed
      expected += observation.expected
    }
    let priorDoses = prior.priorMissed + prior.priorTaken
    let share = (Double(missed) + prior.priorMissed) / (Double(expected) + priorDoses)
    let variance = share * (1 - share)
    var (excess, most) = (prior.dayPriorDoses * prior.dayPrior, prior.dayPriorDoses)
    for observation in pool where observation.expected > 1 {
      let n = Double(observation.expected)
      let surprise = Double(observation.missed) - n * share
      excess += surprise * surprise - n * variance
      most += n * (n - 1) * variance
    }
    var anchor = DoseAnchor(
      missed: missed, expected: expected, share: share, withinDay: min(max(excess / most, 0), 1),
      weekdays: .zero, run: 0, countedDoses: priorDoses)
    var (missedByWeekday, expectedByWeekday) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    for observation in pool {
      let weight = anchor.weight(ofDoses: observation.expected)
      missedByWeekday[Int(observation.weekday)] += weight * Double(observation.missed)
      expectedByWeekday[Int(observation.weekday)] += weight * Double(observation.expected)
      anchor.countedDoses += weight * Double(observation.expected)
    }
    anchor.weekdays =
      (missedByWeekday + prior.weekdayPriorDoses * share)
      / (expectedByWeekday + prior.weekdayPriorDoses)
    anchor.weekdays[7] = 0
    anchor.run = run(of: pool, anchor)
    return anchor
  }

  /// The correlation of a day with the day before.
  private func run(of pool: ArraySlice<DoseSeries.Observation>, _ anchor: DoseAnchor) -> Double {
    var (products, squares) = (0.0, settings.doses.runPriorDoses)
    var earlier: (index: Int32, residual: Double)?
    for observation in pool {
      let weight = anchor.weight(ofDoses: observation.expected)
      let counted = weight * Double(observation.expected)
      let usual = counted * anchor.weekdays[Int(observation.weekday)]
      let residual = (weight * Double(observation.missed) - usual) / counted.squareRoot()
      if let earlier, observation.index - earlier.index == 1 {
        products += earlier.residual * residual
        squares += (earlier.residual * earlier.residual + residual * residual) / 2
      }
      earlier = (observation.index, residual)
    }
    return min(max(products / squares, 0), settings.doses.mostRun)
  }

  /// The share of missed doses that an episode is taken to have, which opens with a window.
  func heldLevel(_ window: DoseWindow, from anchor: DoseAnchor) -> Double {
    let recovery = settings.recovery
    let share = min(window.missedShare, recovery.mostLevel)
    return min(max(share, anchor.share + recovery.levelGap), 0.99)
  }
}
