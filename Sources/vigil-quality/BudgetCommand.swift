import Foundation
import VigilAnalysis
import VigilDetection
import VigilLaboratory

/// `budget`: fails where a profile raises more false alarms, or finds fewer changes, than is promised.
struct BudgetCommand {
  static let usage =
    "budget [--profile NAME] [--thresholds FILE] [--population FILE] [--seed NUMBER]"

  /// 353 person-years in which nothing changes.
  private static let quietPeople = 300
  private static let quietDays = 430
  private static let mostFalseEpisodes = 1.0

  private static let changedPeople = 500
  private static let shareFound = 0.91
  private static let metric = "steps"

  /// - Returns: Whether the budget is kept.
  func run(_ arguments: Arguments) async throws -> Bool {
    let seed = UInt64(try arguments.number("seed", default: 17))
    let detector = try Profiles.detector(arguments, default: "v3")
    let population = try Shipped.population(arguments)
    let simulator = Simulator(population: population, seed: seed)
    let quiet = await QuietStudy(
      Corpus(simulator, people: 0..<Self.quietPeople, dayCount: Self.quietDays),
      detector: detector)
    let rate = quiet.rate(quiet.total, confidence: 0.99)
    let keepsRate = rate.lower <= Self.mostFalseEpisodes
    print(
      """
      \(detector.name): \(rate.estimate.text(2)) false episodes per person-year, 99 % interval \
      \(rate.lower.text(2)) to \(rate.upper.text(2)), at most \(Self.mostFalseEpisodes.text(2)): \
      \(keepsRate ? "kept" : "NOT kept")
      """)
    let first = Self.quietPeople
    let change = ChangePlan(
      size: 1.5, length: 30, metrics: [population.index(of: Self.metric) ?? 0])
    let changed = await ChangeStudy(
      Corpus(
        simulator, people: first..<first + Self.changedPeople, dayCount: change.dayCount,
        change: change.change(of:)), detector: detector)
    let share = changed.people.delays.share(confidence: 0.99)
    let keepsShare = share.upper >= Self.shareFound
    print(
      """
      \(detector.name): \(share.estimate.text(3)) of 30-day changes of 1.5 SD in \(Self.metric) found, 99 % interval \
      \(share.lower.text(3)) to \(share.upper.text(3)), promised \(Self.shareFound.text(2)): \
      \(keepsShare ? "kept" : "NOT kept")
      """)
    return keepsRate && keepsShare
  }
}
