import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

@Suite("The course of an escalation")
struct EscalationCourseTests {
  private static let person = UUID(name: "anna")
  private static let (mother, father, aunt) = (
    UUID(name: "mother"), UUID(name: "father"), UUID(name: "aunt")
  )
  private static let always = UserProfile(switches: [.push: true])
  private let policy = EscalationPolicy(callsContacts: true)

  private static func noon() throws -> Timestamp {
    // A Wednesday.
    try #require(Timestamp("2026-07-01T12:00:00Z"))
  }

  /// The mother was notified by a night; father and aunt may follow.
  private func course(
    _ level: AlertLevel = .day14, _ change: (inout EscalationCourse) throws -> Void = { _ in }
  ) throws -> EscalationCourse {
    let noon = try Self.noon()
    var course = EscalationCourse(
      subject: .alert, alert: UUID(name: "alert"), person: Self.person, level: level,
      type: "pattern_anomaly",
      calls: [
        EscalationCall(
          .member(Self.mother), triggeredAt: noon, expiresAt: noon.adding(seconds: 4 * 3600))
      ],
      caregivers: [
        .init(Self.mother, priority: 1, profile: Self.always),
        .init(Self.aunt, profile: Self.always),
        .init(Self.father, priority: 2, profile: Self.always),
      ],
      contacts: [
        .init(UUID(name: "neighbour"), priority: 2, channel: .sms),
        .init(UUID(name: "doctor"), priority: 1, channel: .email),
      ])
    try change(&course)
    return course
  }

  private func next(_ course: EscalationCourse, hours: Double = 4) throws -> EscalationStep {
    course.next(
      by: policy, zones: .system, at: try Self.noon().adding(seconds: Int64(hours * 3600)))
  }

  /// The recipient who is called upon at the next step; nil where no call follows.
  private func called(
    _ course: EscalationCourse, hours: Double = 4
  ) throws -> EscalationCall.Recipient? {
    guard case .call(let call, _) = try next(course, hours: hours) else { return nil }
    return call.recipient
  }

  @Test("nothing follows before the window has passed")
  func waits() throws {
    let end = try Self.noon().adding(seconds: 4 * 3600)
    #expect(try next(course(), hours: 3.99) == .wait(until: end))
    // The window begins when the last channel is due, such as at the end of quiet hours.
    let late = try course { $0.calls[0].expiresAt = end.adding(seconds: 3600) }
    #expect(try next(late) == .wait(until: end.adding(seconds: 3600)))
    #expect(try called(late, hours: 5) == .member(Self.father))
  }

  @Test("the choice of the person goes before the windows of the sender")
  func choices() throws {
    let early = try course { $0.chosen = .after(minutes: 30) }
    #expect(try called(early, hours: 0.49) == nil)
    #expect(try called(early, hours: 0.5) == .member(Self.father))
    let late = try course { $0.chosen = .after(minutes: 600) }
    #expect(try next(late) == .wait(until: Self.noon().adding(seconds: 36_000)))
    let off = try course { $0.chosen = .off }
    #expect(try next(off, hours: 100) == .end(.noResponse))
    // The sender has no window for level 3.
    let low = try course(.day3) { $0.chosen = .after(minutes: 30) }
    #expect(try called(low, hours: 0.5) == .member(Self.father))
    #expect(try next(course(.day3), hours: 100) == .end(.noResponse))
    let doses = try course(.day3) { ($0.subject, $0.chosen) = (.missedStreak, .off) }
    #expect(try next(doses, hours: 100) == .end(.noResponse))
  }

  @Test("no choice keeps a raised alert from going on to others, or delays it")
  func choicesDoNotHoldForRaisedAlerts() throws {
    for chosen in [EscalationChoice.off, .after(minutes: 10_080), .after(minutes: 5)] {
      let raised = try course(.day21) { ($0.subject, $0.chosen) = (.raisedAlert, chosen) }
      #expect(try called(raised, hours: 0.16) == nil)
      #expect(try called(raised, hours: 0.17) == .member(Self.father))
    }
    #expect(policy.minutes(of: .raisedAlert, at: .day21, chosen: .off) == 10)
    let now = try Self.noon()
    #expect(
      policy.windows(of: .raisedAlert, at: .day21, chosen: [5, 10_080], at: now)
        == EscalationWindows(ofSender: EscalationWindow(minutes: 10, at: now)))
  }

  @Test("each window that is due is looked for once")
  func windows() throws {
    let now = try Self.noon()
    func windows(
      _ subject: EscalationSubject, _ level: AlertLevel, _ chosen: [Int]
    ) -> [Int] {
      policy.windows(of: subject, at: level, chosen: chosen, at: now).all.map(\.minutes)
    }
    #expect(windows(.alert, .day14, []) == [240])
    #expect(windows(.alert, .day3, []) == [])
    #expect(windows(.alert, .day3, [5, 60]) == [5, 60])
    #expect(windows(.alert, .day14, [5, 240]) == [5, 240])
    #expect(windows(.missedStreak, .day3, [60]) == [60, 240])
    let window = EscalationWindow(minutes: 240, at: now)
    #expect(window.end == now && window.start == now.adding(seconds: -24 * 3600))
  }

  @Test("quiet hours delay only their own caregiver, for a critical alert")
  func quietCaregiver() throws {
    let noon = try Self.noon()
    // The father is reached at once, and the mother when her quiet hours end, ten hours later.
    func delayed(_ level: AlertLevel) throws -> EscalationCourse {
      try course(level) { course in
        course.subject = .missedStreak
        course.calls.append(
          EscalationCall(
            .member(Self.father), triggeredAt: noon, expiresAt: noon.adding(seconds: 4 * 3600)))
        course.calls[0].expiresAt = noon.adding(seconds: 14 * 3600)
      }
    }
    #expect(try called(delayed(.day14)) == .member(Self.aunt))
    #expect(
      try next(delayed(.day7)) == .wait(until: noon.adding(seconds: 14 * 3600)))
    // Everyone was called, and the mother has until four hours after her quiet hours.
    var all = try delayed(.day14)
    all.caregivers = []
    all.contacts = []
    #expect(try next(all) == .wait(until: noon.adding(seconds: 14 * 3600)))
    #expect(try next(all, hours: 14) == .end(.noResponse))
    // No caregiver was reached yet.
    all.calls.removeLast()
    #expect(try next(all, hours: 9) == .wait(until: noon.adding(seconds: 14 * 3600)))
    #expect(try delayed(.day14).waitedMinutes(at: noon.adding(seconds: 5 * 3600)) == 300)
    #expect(all.waitedMinutes(at: noon.adding(seconds: 5 * 3600)) == 0)
  }

  @Test("caregivers follow by priority, those without one last, then contacts that were agreed to")
  func order() throws {
    var course = try course()
    var order: [EscalationCall.Recipient] = []
    var hours = 4.0
    while case .call(let call, let notices) = try next(course, hours: hours) {
      #expect(call.step == order.count + 1)
      #expect(!notices.isEmpty && notices.allSatisfy { $0.priority == .critical })
      order.append(call.recipient)
      course.calls.append(call)
      hours += 4
    }
    #expect(
      order == [
        .member(Self.father), .member(Self.aunt), .contact(UUID(name: "doctor")),
        .contact(UUID(name: "neighbour")),
      ])
    #expect(try next(course, hours: hours) == .end(.noResponse))
  }

  @Test("contacts are for critical levels, and only where the settings say so")
  func contacts() throws {
    let alone = try course { $0.caregivers = [] }
    #expect(try called(alone) == .contact(UUID(name: "doctor")))
    let time = try Self.noon().adding(seconds: 4 * 3600)
    #expect(alone.next(by: EscalationPolicy(), zones: .system, at: time) == .end(.noResponse))
    let early = try course(.day7) {
      $0.caregivers = []
      $0.subject = .missedStreak
    }
    #expect(try next(early) == .end(.noResponse))
  }

  @Test("an unavailable caregiver is left out; where all are, their order holds")
  func availability() throws {
    let weekend = try [0, 6].map {
      WeeklyHours(
        weekday: $0, start: try #require(TimeOfDay("09:00")),
        end: try #require(TimeOfDay("18:00")))
    }
    var course = try course { $0.caregivers[2].hours = weekend }
    #expect(try called(course) == .member(Self.aunt))
    course.caregivers[1].hours = weekend
    #expect(try called(course) == .member(Self.father))
    // Saturday noon.
    #expect(try called(course, hours: 72) == .member(Self.father))
    // Quiet hours that hold for critical notifications, too.
    course.caregivers[1].hours = []
    course.caregivers[2].hours = []
    course.caregivers[2].profile?.quietHoursApplyToCritical = true
    course.caregivers[2].profile?.quietHoursStart = TimeOfDay("15:00")
    #expect(try called(course) == .member(Self.aunt))
    course.caregivers[2].profile?.quietHoursApplyToCritical = false
    #expect(try called(course) == .member(Self.father))
    // A caregiver with every channel off is not reached.
    course.caregivers[2].profile = UserProfile(switches: [.inApp: false])
    #expect(try called(course) == .member(Self.aunt))
  }

  @Test("hours are those of the caregiver's zone, and may go on past midnight")
  func hours() throws {
    let berlin = try #require(ZoneCatalog.system.rules(of: "Europe/Berlin"))
    let night = WeeklyHours(
      weekday: 3, start: try #require(TimeOfDay("22:00")), end: try #require(TimeOfDay("06:00")))
    func contains(_ instant: String) throws -> Bool {
      night.contain(try #require(Timestamp(instant)), in: berlin)
    }
    #expect(try !contains("2026-07-01T19:59:59Z"))
    #expect(try contains("2026-07-01T20:00:00Z"))
    #expect(try contains("2026-07-02T03:59:59Z"))
    #expect(try !contains("2026-07-02T04:00:00Z"))
    #expect(try !contains("2026-07-02T20:30:00Z"))
    for weekday in [Int.min, -1, 7, Int.max] {
      let never = WeeklyHours(weekday: weekday, start: night.start, end: night.end)
      #expect(!never.contain(try #require(Timestamp("2026-07-01T20:00:00Z")), in: berlin))
    }
  }

  @Test("an answer, or the end of the alert, ends the course")
  func endings() throws {
    let noon = try Self.noon()
    func ending(_ change: (inout EscalationCourse) throws -> Void) throws -> EscalationStep {
      try next(course(.day14, change))
    }
    let answer = noon.adding(seconds: 60)
    #expect(
      try ending { $0.state.acknowledgedAt = answer } == .end(.acknowledged(at: answer)))
    // An answer to an earlier level does not count.
    #expect(
      try called(course { $0.state.acknowledgedAt = noon.adding(seconds: -1) })
        == .member(Self.father))
    #expect(try ending { $0.state.hasEnded = true } == .end(.resolved))
    #expect(try ending { $0.state.isDismissed = true } == .end(.resolved))
    #expect(try ending { $0.state.snoozedUntil = noon.utcDay + 1 } == .end(.resolved))
    #expect(try ending { $0.highestLevel = .day21 } == .end(.resolved))
    #expect(try ending { $0.calls[0].status = .acknowledged } == .end(.resolved))
    #expect(
      try called(course { $0.state.snoozedUntil = noon.utcDay }) == .member(Self.father))
  }

  @Test("rows are references, and quiet hours hold for what is not critical")
  func rows() throws {
    let quiet = UserProfile(
      switches: [.push: true], quietHoursStart: TimeOfDay("15:00"),
      quietHoursEnd: TimeOfDay("17:00"))
    let course = try course(.day7) {
      $0.subject = .missedStreak
      $0.caregivers = [.init(Self.father, profile: quiet)]
    }
    guard case .call(let call, let notices) = try next(course) else {
      Issue.record("no call")
      return
    }
    let now = try Self.noon().adding(seconds: 4 * 3600)
    #expect(notices.map(\.channel) == [.push, .inApp])
    #expect(notices.map(\.scheduledFor) == [now.adding(seconds: 3600), now])
    #expect(call.dueAt == now.adding(seconds: 3600))
    let schema = try JSONSchema(
      contentsOf: SharedFolder.repository.appending(
        path: "schemas/notification_payload.schema.json"))
    for notice in notices {
      #expect(try schema.problems(of: JSON(text: notice.payload)) == [])
      #expect(notice.payload.contains(#""detail":"reference""#))
    }
  }

  @Test("whatever happens, no recipient is called twice, steps count up, and a course ends")
  func property() throws {
    for seed in 1...Repetitions.count(fast: 300, long: 20_000) {
      var random = SeededGenerator(seed: seed)
      let members = (0..<6).map { UUID(name: "member \($0)") }
      var course = try course(
        [.day3, .day7, .day14, .day21].randomElement(using: &random) ?? .day14)
      course.subject = Bool.random(using: &random) ? .alert : .missedStreak
      course.calls[0].recipient = .member(
        [members[0], Self.person].randomElement(using: &random) ?? members[0])
      course.caregivers = members.shuffled(using: &random).prefix(
        .random(in: 0...6, using: &random)
      )
      .map { user in
        EscalationCourse.Caregiver(
          user, priority: Bool.random(using: &random) ? .random(in: 1...3, using: &random) : nil,
          profile: [
            nil, Self.always, UserProfile(switches: [.inApp: false]),
            UserProfile(switches: [.push: true], quietHoursApplyToCritical: true),
          ].randomElement(using: &random) ?? nil,
          hours: Bool.random(using: &random)
            ? []
            : [
              WeeklyHours(
                weekday: .random(in: 0...6, using: &random), start: .sevenInTheMorning,
                end: .tenInTheEvening)
            ])
      }
      course.contacts = (0..<Int.random(in: 0...3, using: &random)).map {
        .init(
          UUID(name: "contact \($0)"), priority: .random(in: 1...2, using: &random), channel: .sms)
      }
      var now = try Self.noon()
      var notices: [EscalationNotice] = []
      var hasEnded = false
      for _ in 1...200 where !hasEnded {
        // The settings and the family may change in between.
        if Int.random(in: 0...9, using: &random) == 0 { course.caregivers.shuffle(using: &random) }
        switch course.next(by: policy, zones: .system, at: now) {
        case .wait(let time):
          #expect(time > now, "seed \(seed)")
          now = time.adding(seconds: .random(in: 0...40_000, using: &random))
        case .call(let call, let rows):
          #expect(call.step == course.calls.count, "seed \(seed)")
          #expect(!course.calls.map(\.recipient).contains(call.recipient), "seed \(seed)")
          #expect(call.recipient != .member(Self.person), "seed \(seed)")
          let contactsBefore = course.calls.contains {
            if case .contact = $0.recipient { true } else { false }
          }
          if contactsBefore, case .member = call.recipient { Issue.record("order, seed \(seed)") }
          course.calls.append(call)
          notices += rows
        case .end(let ending):
          #expect(ending == .noResponse, "seed \(seed)")
          hasEnded = true
        }
      }
      #expect(hasEnded, "seed \(seed)")
      #expect(Set(notices.map(\.dedupeKey)).count == notices.count, "seed \(seed)")
    }
  }
}
