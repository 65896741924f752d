import VigilDetection

/// Looks for thresholds on people that have been simulated.
struct ThresholdSearch {
  let corpora: [Corpus]
  let allowed: ThresholdCalibration.Rate
  let knots: [Int]
  var counter: OpeningCounter
  /// By metric and knot.
  var judgedDays: [[Int]]
  var rate = 0.0

  init(_ calibration: ThresholdCalibration, corpora: [Corpus]) {
    self.corpora = corpora
    allowed = calibration.rate
    knots = calibration.knots
    let names = calibration.simulator.population.metrics.map(\.metric)
    counter = OpeningCounter(
      detector: ProfileDetector(
        calibration.profile.version, thresholds: calibration.profile, order: names),
      knots: knots)
    judgedDays = [[Int]](of: names.count, knots.count)
  }

  mutating func measureExposure() async {
    for corpus in corpora { judgedDays.add(await counter.judgedDays(in: corpus)) }
    let personYears = corpora.reduce(0) { $0 + $1.personYears }
    let judged = judgedDays.joined().reduce(0, +)
    rate =
      switch allowed {
      case .openingsPerSeriesYear(let rate): rate
      case .episodesPerPersonYear(let budget):
        judged > 0 ? ThresholdCalibration.aim * budget * personYears / (Double(judged) / 365) : 0
      }
  }

  func run(
    shouldStop: () -> Bool, progress: (Double) -> Void
  ) async -> ThresholdCalibration.Outcome? {
    // Ten halvings for each size of the baseline, six for the metric as a whole.
    let rounds = 16.0
    var done = 0.0
    func counts(with thresholds: [[Int]]) async -> [[Int]]? {
      if shouldStop() { return nil }
      let counts = await self.counts(with: thresholds)
      done += 1
      progress(min(done / rounds, 1))
      return counts
    }
    let groups = judgedDays.map(self.groups)
    let exposures = zip(judgedDays, groups).flatMap { days, groups in
      groups.map { Double($0.reduce(0) { $0 + days[$1] }) / 365 }
    }
    var matching = CountMatching(
      targets: exposures.map { Int((rate * $0).rounded()) }, within: ThresholdCalibration.bounds)
    while !matching.isDone {
      guard let found = await counts(with: spread(matching.values.map(Double.init), over: groups))
      else { return nil }
      matching.take(
        zip(found, groups).flatMap { counts, groups in
          groups.map { $0.reduce(0) { $0 + counts[$1] } }
        })
    }
    let shapes = descending(
      matching.values.map(Double.init), weights: exposures, groups: groups)
    var offsets = CountMatching(
      targets: judgedDays.map { Int((rate * Double($0.reduce(0, +)) / 365).rounded()) },
      within: -30...30)
    let bounds = ThresholdCalibration.bounds
    func moved() -> [[Int]] {
      zip(shapes, offsets.values).map { shape, offset in
        shape.map { min(max($0 + offset, bounds.lowerBound), bounds.upperBound) }
      }
    }
    while !offsets.isDone {
      guard let found = await counts(with: moved()) else { return nil }
      offsets.take(found.map { $0.reduce(0, +) })
    }
    return ThresholdCalibration.Outcome(
      thresholds: moved().map(thresholds), openingsPerSeriesYear: rate,
      judgedYears: Double(judgedDays.joined().reduce(0, +)) / 365)
  }

  /// Neighbouring knots together, so that each group has enough openings.
  private func groups(_ days: [Int]) -> [[Int]] {
    var groups: [[Int]] = []
    var open: [Int] = []
    func openings(_ group: [Int]) -> Double {
      rate * Double(group.reduce(0) { $0 + days[$1] }) / 365
    }
    for knot in days.indices {
      open.append(knot)
      if openings(open) >= ThresholdCalibration.fewestOpenings {
        groups.append(open)
        open = []
      }
    }
    if groups.isEmpty { return [open] }
    groups[groups.count - 1] += open
    return groups
  }

  /// Values of groups, all metrics one after the other, as one for each knot of each metric.
  private func spread(_ values: [Double], over groups: [[[Int]]]) -> [[Int]] {
    var rest = values[...]
    return groups.map { groups in
      groups.flatMap { group in
        let value = Int((rest.popFirst() ?? 0).rounded())
        return group.map { _ in value }
      }
    }
  }

  private func descending(
    _ values: [Double], weights: [Double], groups: [[[Int]]]
  ) -> [[Int]] {
    var first = 0
    var fitted: [Double] = []
    for groups in groups {
      let range = first..<first + groups.count
      fitted += Descent.fitted(
        Array(values[range]), weights: weights[range].map { max($0, 1e-9) })
      first = range.upperBound
    }
    return spread(fitted, over: groups)
  }

  private func thresholds(_ hundredths: [Int]) -> EvidenceThresholds {
    EvidenceThresholds(
      Dictionary(
        uniqueKeysWithValues: zip(knots, hundredths).map { ($0, Double($1) / 100) }))
  }

  private func counts(with hundredths: [[Int]]) async -> [[Int]] {
    var counter = counter
    var detector = counter.detector
    for (index, values) in hundredths.enumerated() {
      detector.metrics[index].evidence?.thresholds = thresholds(values)
    }
    counter = OpeningCounter(detector: detector, knots: knots)
    var counts = [[Int]](of: hundredths.count, knots.count)
    for corpus in corpora { counts.add(await counter.count(in: corpus)) }
    return counts
  }
}
