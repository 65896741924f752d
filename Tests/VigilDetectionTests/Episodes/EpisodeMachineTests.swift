import Testing
import VigilModel

@testable import VigilDetection

/// Every cell of state x input of the machine; the letters are those of `MachineRun`.
@Suite struct EpisodeMachineTests {
  private let v1: Thresholds
  private let v2: Thresholds

  init() throws {
    v1 = try Profiles.named("v1")
    v2 = try Profiles.named("v2")
  }

  /// Verdicts, and the actions of v1 and v2.
  struct Cell: CustomTestStringConvertible, Sendable {
    var name: String
    var verdicts: String
    var v1: String
    var v2: String

    init(_ name: String, _ verdicts: String, _ v1: String, _ v2: String? = nil) {
      self.name = name
      self.verdicts = verdicts
      self.v1 = v1
      self.v2 = v2 ?? v1
    }

    var testDescription: String { "\(name): \(verdicts)" }
  }

  static let idle: [Cell] = [
    .init("idle, deviating", "D", "O"),
    .init("idle, suppressed", "S", "."),
    .init("idle, normal", "n", "."),
    .init("idle, clean", "c", "."),
    .init("idle, unknown", "_", "."),
    .init("idle, anything but deviating", "ncw_xSS_cn", ".........."),
    .init("opening after suppressed days", "SSD", "..O"),
  ]

  static let deviating: [Cell] = [
    .init("active, deviating", "DD", "O+"),
    .init("active, suppressed", "DS", "O."),
    .init("active, normal", "Dn", "O."),
    .init("active, clean", "Dc", "O."),
    .init("active, unknown", "D_", "O."),
    .init("a suppressed day does not break the run", "DSSD", "O..+"),
  ]

  static let interrupted: [Cell] = [
    .init("a single quiet day does not resolve", "DDnDD", "O+.R+", "O+.++"),
    .init("after a clean day, deviating", "DcD", "O.R", "O.+"),
    .init("after an unknown day, deviating", "D_D", "O.R", "O.+"),
    .init("after a normal day, suppressed", "DnS", "O.."),
    .init("a run that begins suppressed", "DnSD", "O..R", "O..+"),
    .init("after a normal day, normal", "DnnnnnnnnD", "O........R", "O........+"),
    .init("restarted, deviating", "DnDD", "O.R+", "O.++"),
    .init("restarted twice", "DnDnD", "O.R.R", "O.+.+"),
  ]

  static let recovering: [Cell] = [
    .init("two clean days", "Dcc", "O.r"),
    .init("clean workout days count", "Dww", "O.r"),
    .init("a normal day between clean ones", "Dcnc", "O..."),
    .init("an unknown day between clean ones", "Dc_c", "O..."),
    .init("a suppressed day between clean ones", "DcSc", "O..."),
    .init("clean days after a break", "Dcncc", "O...r"),
    .init("clean days after a suppressed end", "DSScc", "O...r"),
    .init("clean days before the episode do not count", "ccDc", "..O."),
    .init("idle again, deviating", "DccD", "O.rO"),
    .init("idle again, clean", "Dcccc", "O.r.."),
    .init("recovered after a restart", "DnDcc", "O.R.r", "O.+.r"),
  ]

  @Test(arguments: idle + deviating + interrupted + recovering)
  func stepsThrough(_ cell: Cell) {
    #expect(MachineRun(cell.verdicts, under: v1).actions == cell.v1)
    #expect(MachineRun(cell.verdicts, under: v2).actions == cell.v2)
  }

  // MARK: First day and duration

  @Test func theRunsFirstDayCountsEvenWhereItIsSuppressed() {
    for thresholds in [v1, v2] {
      #expect(MachineRun("D", under: thresholds).activeSince == [-2])
      #expect(MachineRun("D", under: thresholds).durations == [3])
      let late = MachineRun("SSSSD", under: thresholds)
      #expect(late.activeSince == [-2])
      #expect(late.levels == "----7")
      #expect(late.durations.last == 7)
      #expect(MachineRun("S_SD", under: thresholds).activeSince == [0])
      #expect(MachineRun("SnD", under: thresholds).activeSince == [0])
    }
  }

  @Test func theRecentWindowGivesTheFirstDayItsDuration() {
    var thresholds = v1
    for days in 1...5 {
      thresholds.recentDays = days
      let run = MachineRun("nD", under: thresholds)
      #expect(run.durations == [0, days])
      #expect(run.activeSince == [2 - days])
    }
  }

  @Test func anInterruptionRestartsInV1AndCountsOnInV2() {
    let days = "DDDDDnDD"
    let restarted = MachineRun(days, under: v1)
    #expect(restarted.actions == "O++++.R+")
    #expect(restarted.activeSince == [-2, 4])
    #expect(restarted.levels == "33337733")
    #expect(restarted.durations == [3, 4, 5, 6, 7, 7, 3, 4])
    let continued = MachineRun(days, under: v2)
    #expect(continued.actions == "O++++.++")
    #expect(continued.activeSince == [-2])
    #expect(continued.levels == "33337777")
    #expect(continued.durations == [3, 4, 5, 6, 7, 7, 9, 10])
  }

  @Test func suppressedAndQuietDaysDoNotEscalate() {
    for thresholds in [v1, v2] {
      #expect(MachineRun("DSSSSSD", under: thresholds).levels == "3333337")
      #expect(MachineRun("Dnnnnnnn", under: thresholds).levels == "3".repeated(8))
      #expect(MachineRun("D_______", under: thresholds).levels == "3".repeated(8))
    }
  }

  @Test func levelsComeOnDays3And7And14And21() {
    for thresholds in [v1, v2] {
      #expect(
        MachineRun("D".repeated(25), under: thresholds).levels
          == "3".repeated(4) + "7".repeated(7) + "F".repeated(7) + "T".repeated(7))
    }
  }

  // MARK: Recovery

  @Test(arguments: [(1, 2), (4, 2), (5, 2), (11, 2), (12, 3), (18, 3), (19, 3), (40, 3)])
  func higherLevelsNeedMoreCleanDays(deviatingDays: Int, cleanDays: Int) {
    for thresholds in [v1, v2] {
      let actions = MachineRun(
        "D".repeated(deviatingDays) + "c".repeated(5), under: thresholds
      ).actions.dropFirst(deviatingDays)
      #expect(
        actions == Substring(".".repeated(cleanDays - 1) + "r" + ".".repeated(5 - cleanDays)))
    }
  }

  @Test(arguments: zip([1, 5, 12, 19], AlertLevel.allCases))
  func eachLevelHasItsOwnNumberOfCleanDays(deviatingDays: Int, level: AlertLevel) {
    for number in 1...6 {
      var thresholds = v2
      thresholds.recovery.cleanDays = [.day3: 9, .day7: 9, .day14: 9, .day21: 9]
      thresholds.recovery.cleanDays[level] = number
      let run = MachineRun(
        "D".repeated(deviatingDays) + "c".repeated(number), under: thresholds)
      #expect(run.actions.suffix(number) == Substring(".".repeated(number - 1) + "r"))
    }
  }

  // MARK: Levels that fall

  /// Nothing within one history makes a level fall; a stored one may be above its duration.
  @Test func aLevelFallsInV1AndStaysInV2() {
    let today = Day(ordinal: 20_000)
    for (thresholds, expected) in [(v1, AlertLevel.day7), (v2, .day14)] {
      var machine = EpisodeMachine(
        settings: .init(thresholds),
        resuming: .init(
          activeSince: today - 8, lastDeviating: today - 1, level: .day14,
          lastNotClean: today - 1, lastKnown: today - 1, deviatingSince: today - 6))
      let action = machine.step(today, verdict: .deviating, rolling: .deviating, runStart: today)
      #expect(action == .extended)
      guard case .active(let episode) = machine.state else {
        Issue.record("the episode has ended")
        continue
      }
      #expect(episode.level == expected)
      #expect(episode.duration == 9)
    }
  }

  // MARK: Unknown days

  @Test func fourteenUnknownDaysEndAnEpisodeInV2Only() {
    let days = "D" + "_".repeated(16)
    #expect(MachineRun(days, under: v1).actions == "O" + ".".repeated(16))
    #expect(MachineRun(days, under: v2).actions == "O" + ".".repeated(13) + "u..")
    let workouts = "D" + "_x".repeated(7)
    #expect(MachineRun(workouts, under: v2).actions == "O" + ".".repeated(13) + "u")
  }

  @Test(arguments: ["n", "c", "S"])
  func aKnownDayBeginsTheCountOfUnknownDaysAgain(known: String) {
    let days = "D" + "_".repeated(13) + known + "_".repeated(14)
    #expect(MachineRun(days, under: v2).actions == "O" + ".".repeated(27) + "u")
  }

  @Test func unknownDaysBeforeAnEpisodeDoNotCount() {
    let days = "_".repeated(13) + "D" + "_".repeated(14)
    #expect(MachineRun(days, under: v2).actions == ".".repeated(13) + "O" + ".".repeated(13) + "u")
  }

  // MARK: Rebasing

  /// Day 58 is the 60th after `activeSince`, which lies two days before the first.
  private let beforeRebase = "O" + "+".repeated(57)

  @Test func theFirstNormalRollingDayAfterSixtyDaysRebasesInV2Only() {
    let days = "D".repeated(60)
    let rolling = "D" + "n".repeated(59)
    #expect(MachineRun(days, rolling: rolling, under: v1).actions == "O" + "+".repeated(59))
    #expect(MachineRun(days, rolling: rolling, under: v2).actions.prefix(59) == beforeRebase + "b")
  }

  @Test(arguments: ["D", "S", "_"])
  func aRollingDayThatIsNotNormalDoesNotRebase(rolling: String) {
    let run = MachineRun(
      "D".repeated(62), rolling: "D".repeated(58) + rolling.repeated(3) + "n", under: v2)
    #expect(run.actions == beforeRebase + "+++b")
  }

  @Test func rebasingGoesBeforeRecoveryAndMissingData() {
    let recovered = "D".repeated(56) + "ccc"
    #expect(MachineRun(recovered, under: v2).actions == "O" + "+".repeated(55) + "..b")
    let lost = "D".repeated(45) + "_".repeated(14)
    #expect(MachineRun(lost, under: v2).actions.last == "u")
    let normal = "D".repeated(45) + "_".repeated(13) + "n"
    #expect(MachineRun(normal, under: v2).actions.last == "b")
  }

  @Test func nothingOpensOnTheDayAnEpisodeEnds() {
    let run = MachineRun(
      "D".repeated(61), rolling: "D".repeated(58) + "nDD", under: v2)
    #expect(run.actions == beforeRebase + "bO+")
    #expect(run.levels.suffix(3) == "-33")
    #expect(run.activeSince == [-2, 57])
  }

  @Test func restartingIsTheOneWayToEndAndBeginOnADay() throws {
    let first = Day(ordinal: 20_000)
    var machine = EpisodeMachine(settings: .init(v1))
    _ = machine.step(first, verdict: .deviating, rolling: .deviating, runStart: first)
    _ = machine.step(first + 1, verdict: .normal, rolling: .normal, runStart: first + 1)
    let action = machine.step(
      first + 2, verdict: .deviating, rolling: .deviating, runStart: first + 2)
    guard case .restarted(let ended, let runStart) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(runStart == first + 2)
    #expect(ended.activeSince == first - 2)
    #expect(ended.lastDeviating == first)
    #expect(ended.duration == 3)
  }
}
