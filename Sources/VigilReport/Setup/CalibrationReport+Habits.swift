public import VigilAnalysis
import VigilModel

extension CalibrationReport {
  /// The prior of pauses without a device.
  public struct Pauses: Sendable {
    public var fit: Fit
    /// By length from 2 days, the pauses a year of at least that length.
    public var now: [Double]
    public var before: [Double]

    public init(fit: Fit, now: [Double], before: [Double]) {
      self.fit = fit
      self.now = now
      self.before = before
    }
  }

  /// The priors of missed doses.
  public struct Doses: Sendable {
    public var fit: Fit
    public var now: Priors
    public var before: Priors

    public init(fit: Fit, now: Priors, before: Priors) {
      self.fit = fit
      self.now = now
      self.before = before
    }

    /// The shares that are taken for usual of a person of whom nothing is known.
    public struct Priors: Sendable {
      public var priorMissed: Double
      public var priorTaken: Double
      public var dayPrior: Double

      public init(priorMissed: Double, priorTaken: Double, dayPrior: Double) {
        self.priorMissed = priorMissed
        self.priorTaken = priorTaken
        self.dayPrior = dayPrior
      }
    }
  }

  /// The people of a prior, and the false alerts that follow from it.
  public struct Fit: Sendable {
    /// Persons with enough days.
    public var people: Int
    /// The fewest days of a person, and the fewest people, that are fitted.
    public var fewest: (days: Int, people: Int)
    public var isFitted: Bool
    /// False alerts per person and year in simulated people, with the new file.
    public var expected: ExactInterval
    /// In the same people, with the base.
    public var expectedOfBase: ExactInterval

    public init(
      people: Int, fewest: (days: Int, people: Int), isFitted: Bool, expected: ExactInterval,
      expectedOfBase: ExactInterval
    ) {
      self.people = people
      self.fewest = fewest
      self.isFitted = isFitted
      self.expected = expected
      self.expectedOfBase = expectedOfBase
    }
  }
}

// MARK: Text

extension CalibrationReport {
  private static let shownPauses = [2, 4, 7, 10, 14, 20]

  func text(of pauses: Pauses, _ style: TextStyle) -> String {
    guard pauses.fit.isFitted else {
      return kept("Pauses without a device", pauses.fit, "days from the first to the last sign")
    }
    var table = TextTable(
      [.init("Of at least")] + Self.shownPauses.map { .init("\($0) days", .right) })
    table.rows = [("now", pauses.now), ("before", pauses.before)].map { name, rates in
      [.init(name)]
        + Self.shownPauses.map { length in
          .init(rates.indices.contains(length - 2) ? NumberText.decimals(rates[length - 2]) : "–")
        }
    }
    return "\nPauses a year of \(NumberText.count(pauses.fit.people, "person", "people")) without a"
      + " device, and before in \(base.terminalSafe):\n" + table.render(style)
      + expectation(pauses.fit, of: "silence")
  }

  func text(of doses: Doses, _ style: TextStyle) -> String {
    guard doses.fit.isFitted else {
      return kept("Missed doses", doses.fit, "days with doses")
    }
    var table = TextTable([
      .init("Usual of doses"), .init("missed", .right), .init("weight", .right),
      .init("alike on a day", .right),
    ])
    table.rows = [("now", doses.now), ("before", doses.before)].map { name, priors in
      let weight = priors.priorMissed + priors.priorTaken
      return [
        .init(name), .init("\(NumberText.decimals(100 * priors.priorMissed / weight)) %"),
        .init("\(NumberText.decimals(weight)) doses"), .init(NumberText.decimals(priors.dayPrior)),
      ]
    }
    return "\nDoses of \(NumberText.count(doses.fit.people, "person", "people")), and before in"
      + " \(base.terminalSafe):\n" + table.render(style) + expectation(doses.fit, of: "doses")
  }

  private func expectation(_ fit: Fit, of what: String) -> String {
    ("Simulated people of many habits have \(fit.expected.text) false alerts of \(what) per"
      + " person-year, with \(base.terminalSafe) \(fit.expectedOfBase.text).").wrapped() + "\n"
  }

  private func kept(_ what: String, _ fit: Fit, _ days: String) -> String {
    "\n"
      + ("\(what): the prior is that of \(base.terminalSafe), because fewer than"
      + " \(fit.fewest.people) people have \(fit.fewest.days) \(days)"
      + " (\(NumberText.count(fit.people))).").wrapped() + "\n"
  }
}
