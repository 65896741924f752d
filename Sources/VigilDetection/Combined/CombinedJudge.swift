import VigilKernels
import VigilModel

/// The constants of the metrics together, for the metrics that a block has.
///
/// One thread uses one instance.
final class CombinedJudge {
  let settings: CombinedSettings
  let evidence: EvidenceSettings
  /// In the order of the settings; bit i of a set of metrics stands for member i.
  let members: [Member]
  let day: CombinedDayMemory
  /// By set, the standard deviation of the sum of its evidence.
  private let spreads: [Double]
  /// By set, whether it holds metrics of enough groups.
  private let spans: [Bool]

  /// One metric.
  struct Member {
    let metric: MetricType
    /// Its place among the metrics of the block.
    let index: Int
    let judge: EvidenceJudge
    /// Its rules, as far as they have a weak form.
    let weakRules: MetricJudge
    let screen: CombinedScreen
    let isSuppressedOnWorkoutDays: Bool
  }

  /// - Parameters:
  ///   - settings: Those of the profile.
  ///   - evidence: The same.
  ///   - metrics: The metrics of the blocks, in their order.
  ///   - judges: By metric; nil where means are compared.
  /// - Returns: Nil where the metrics are not followed together.
  init?(
    _ settings: CombinedSettings, _ evidence: EvidenceSettings, metrics: [MetricThresholds],
    judges: [EvidenceJudge?]
  ) {
    guard settings.applies(to: metrics) else { return nil }
    self.settings = settings
    self.evidence = evidence
    members = settings.metrics.compactMap { metric in
      guard let index = metrics.firstIndex(where: { $0.metric == metric }),
        metrics[index].source == .wearable, let judge = judges[index]
      else { return nil }
      let weakRules = MetricJudge(
        metrics[index].weakened(by: settings.matterShare), recentDays: 1, recoveryWithin: 0)
      return Member(
        metric: metric, index: index, judge: judge, weakRules: weakRules,
        screen: CombinedScreen(
          judge, weakRules: weakRules, least: settings.metricEvidence, cap: settings.evidenceCap),
        isSuppressedOnWorkoutDays: judge.isSuppressedOnWorkoutDays)
    }
    let sets = 0..<(1 << members.count)
    let members = members
    spreads = sets.map { set in
      let sum = members.indices.reduce(0.0) { sum, i in
        set & 1 << i == 0
          ? sum
          : members.indices.reduce(sum) { sum, j in
            set & 1 << j == 0
              ? sum : sum + settings.correlation(members[i].metric, members[j].metric)
          }
      }
      return max(sum, 0).squareRoot()
    }
    spans = sets.map { set in
      let chosen = members.indices.filter { set & 1 << $0 != 0 }
      let groups = Set(
        chosen.map { place in settings.group(of: members[place].metric) ?? -1 - place })
      return groups.count >= settings.minGroups
    }
    day = CombinedDayMemory(members: members.count, windows: settings.windowsDays.count)
  }

  /// The sum of all correlations within a set, divided by its size: a day of its metrics is that many times less
  /// evidence than one of as many independent metrics.
  func redundancy(of set: Int) -> Double {
    spreads[set] * spreads[set] / Double(set.nonzeroBitCount)
  }

  /// The set with the most evidence among some metrics: of sets within the tolerance, that with the smaller number.
  ///
  /// - Parameters:
  ///   - counting: The metrics to choose from.
  ///   - z: The evidence of each metric.
  /// - Returns: Nil where no set holds metrics of enough groups.
  /// - Complexity: O(2^counting).
  func bestSet(of counting: Int, z: (Int) -> Double) -> (set: Int, evidence: Double)? {
    guard spans[counting] else { return nil }
    var evidence = -Double.infinity
    eachSubset(of: counting) { set in
      evidence = max(evidence, self.evidence(of: set, z: z))
    }
    var best: Int?
    eachSubset(of: counting) { set in
      if self.evidence(of: set, z: z) >= evidence - EvidenceJudge.tolerance {
        best = min(best ?? set, set)
      }
    }
    return best.map { ($0, self.evidence(of: $0, z: z)) }
  }

  /// Whether a set can have some evidence.
  func mayReach(_ evidence: Double, counting: Int, z: (Int) -> Double) -> Bool {
    guard spans[counting] else { return false }
    var mayReach = false
    eachSubset(of: counting) { set in
      if !mayReach, self.evidence(of: set, z: z) >= evidence { mayReach = true }
    }
    return mayReach
  }

  @inline(__always)
  private func evidence(of set: Int, z: (Int) -> Double) -> Double {
    var sum = 0.0
    var rest = set
    while rest != 0 {
      sum += z(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
    return sum / spreads[set]
  }

  /// Goes through the subsets that hold metrics of enough groups.
  @inline(__always)
  private func eachSubset(of set: Int, _ body: (Int) -> Void) {
    var subset = set
    while subset != 0 {
      if spans[subset] { body(subset) }
      subset = (subset - 1) & set
    }
  }
}

extension MetricThresholds {
  /// The same with weaker bounds, and without the rules that have no weak form (specification,
  /// evidence-person.md section 2).
  func weakened(by share: Double) -> MetricThresholds {
    var weak = self
    weak.rules = rules.filter { $0.kind != .absoluteDropBelow }
      .map { MetricRule($0.kind, $0.threshold * share) }
    return weak
  }
}
