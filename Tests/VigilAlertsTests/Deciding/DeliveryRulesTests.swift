import Testing
import VigilAlerts
import VigilModel

@Suite("The rules by which a notification is sent, waits or is withheld")
struct DeliveryRulesTests {
  private func outcome(
    of occasion: PatternAlertNotification.Occasion = .level, at moment: DeliveryMoment,
    _ facts: DeliveryFacts = []
  ) -> DeliveryOutcome {
    DeliveryRules.outcome(of: occasion, in: DeliveryCircumstances(at: moment, facts))
  }

  @Test("where nothing speaks against it, it is sent, unless an operator discards it")
  func sends() {
    for moment in DeliveryMoment.allCases where moment != .discarding {
      #expect(outcome(at: moment) == .send)
    }
    #expect(outcome(at: .discarding) == .discarded)
  }

  @Test(
    "the first reason that applies is recorded",
    arguments: [
      (DeliveryMoment.planning, [.isNotified, .isOff, .isDismissed, .isSnoozed]),
      (
        .releasing,
        [
          .wasEnqueued, .hasEnded, .isCovered, .isDismissed, .isSnoozed, .isOff, .isExcluded,
          .isOvertaken, .isNotified,
        ]
      ),
      (.discarding, [.wasEnqueued, .hasEnded, .isOff, .isExcluded, .isOvertaken, .isNotified]),
      (
        .sending,
        [.isExpired, .isExcluded, .isNoRecipient, .isOff, .isDismissed, .isSnoozed, .hasEnded]
      ),
    ] as [(DeliveryMoment, [DeliveryFacts])])
  func order(moment: DeliveryMoment, facts: [DeliveryFacts]) {
    for (place, first) in facts.enumerated() {
      // A recipient who is excluded has no say in it whether the channel is off.
      let later = facts[(place + 1)...].filter { first != .isOff || $0 != .isExcluded }
      let all = later.reduce(first) { $0.union($1) }
      #expect(outcome(at: moment, all) == outcome(at: moment, first), "\(first.rawValue)")
    }
  }

  @Test("each fact has its reason")
  func reasons() {
    let reasons: [(DeliveryFacts, DeliveryOutcome)] = [
      (.wasEnqueued, .repeated), (.isNotified, .repeated), (.hasEnded, .withhold(.resolved)),
      (.isOff, .withhold(.preferenceOff)), (.isDismissed, .withhold(.dismissed)),
      (.isSnoozed, .withhold(.snoozed)), (.isExcluded, .withhold(.excluded)),
      (.isOvertaken, .withhold(.superseded)), ([.isOff, .isExcluded], .withhold(.excluded)),
    ]
    for (fact, expected) in reasons { #expect(outcome(at: .releasing, fact) == expected) }
    #expect(outcome(at: .sending, .isExpired) == .withhold(.expired))
    #expect(outcome(at: .sending, .isNoRecipient) == .withhold(.notRecipient))
    for fact in [.hasEnded, .isDismissed, .isSnoozed, .isOvertaken] as [DeliveryFacts] {
      #expect(outcome(at: .escalating, fact) == outcome(at: .releasing, fact))
    }
  }

  @Test("who wants no notification counts as notified, unless members hear of the alert later")
  func countsAsNotified() {
    #expect(outcome(at: .releasing).countsAsNotified)
    #expect(outcome(at: .discarding).countsAsNotified)
    #expect(outcome(at: .releasing, .isOff).countsAsNotified)
    #expect(outcome(at: .discarding, [.isOff, .isDismissed]).countsAsNotified)
    for fact in [.isDismissed, .isSnoozed, .isCovered, .hasEnded] as [DeliveryFacts] {
      #expect(!outcome(at: .releasing, [.isOff, fact]).countsAsNotified)
    }
  }

  @Test("a recovery is notified of an event that has ended and was notified of")
  func recovery() {
    let ended: DeliveryFacts = [.hasEnded, .wasNotified, .isNotified, .isOvertaken]
    #expect(outcome(of: .recovery, at: .releasing, ended) == .send)
    #expect(
      outcome(of: .recovery, at: .releasing, .hasEnded) == .withhold(.superseded))
    #expect(
      outcome(of: .recovery, at: .releasing, .wasNotified) == .withhold(.superseded))
    #expect(outcome(of: .recovery, at: .sending, .hasEnded) == .send)
  }

  @Test("an operator who discards does not mind what members have set")
  func discarding() {
    #expect(outcome(at: .discarding, [.isDismissed, .isSnoozed]) == .discarded)
  }

  @Test("held outcomes are those of each sum of facts, first of levels, then of recoveries")
  func heldOutcomes() {
    for moment in [DeliveryMoment.releasing, .discarding] {
      let outcomes = DeliveryRules.heldOutcomes(at: moment)
      #expect(outcomes.count == 2048)
      for sum in 0..<1024 {
        #expect(outcomes[sum] == outcome(at: moment, DeliveryFacts(rawValue: sum)))
        #expect(
          outcomes[1024 + sum] == outcome(of: .recovery, at: moment, DeliveryFacts(rawValue: sum)))
      }
    }
  }

  @Test("the queue has a reason with what is grouped, due later or withheld")
  func entries() {
    func entry(_ outcome: DeliveryOutcome, isGrouped: Bool = false, isLater: Bool = false) -> String
    {
      guard let entry = outcome.entry(isGrouped: isGrouped, isLater: isLater) else { return "none" }
      return "\(entry.status) \(entry.reason?.rawValue ?? "-")"
    }
    #expect(entry(.send) == "pending -")
    #expect(entry(.send, isLater: true) == "pending quiet_hours")
    #expect(entry(.send, isGrouped: true, isLater: true) == "skipped grouped")
    #expect(entry(.withhold(.snoozed), isLater: true) == "skipped snoozed")
    #expect(entry(.repeated, isLater: true) == "none")
    #expect(entry(.discarded) == "none")
  }

  @Test("of several alerts all must be withheld, and the gravest says why")
  func groups() {
    #expect(DeliveryFacts(ofAlerts: [.isDismissed, [], .hasEnded]) == [])
    #expect(DeliveryFacts(ofAlerts: [.isDismissed, .hasEnded]) == .isDismissed)
    #expect(DeliveryFacts(ofAlerts: []) == [])
  }

  @Test("a snooze holds until its day")
  func snooze() throws {
    let day = try #require(Day("2026-06-30"))
    #expect(DeliveryFacts(isDismissed: false, snoozeUntil: day + 1, on: day) == .isSnoozed)
    #expect(DeliveryFacts(isDismissed: false, snoozeUntil: day, on: day) == [])
  }
}
