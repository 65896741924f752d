import Foundation
import TestSupport
import Testing
import VigilAlerts
import VigilModel

@Suite("Prompts: what no night plans")
struct PromptTests {
  private let person = UUID(name: "anna")

  private static func night() throws -> Timestamp {
    try #require(Timestamp("2026-07-01T23:00:00Z"))
  }

  private func raised(_ members: Prompt.Member...) -> Prompt {
    var prompt = Prompt(.raisedAlert, id: UUID(name: "an alert"), about: person)
    prompt.members = members
    return prompt
  }

  @Test("responders and administrators are asked for help; without any, all but dependents")
  func responders() {
    let (ben, eva, kim, old) = (
      UUID(name: "ben"), UUID(name: "eva"), UUID(name: "kim"), UUID(name: "old")
    )
    let all = raised(
      .init(ben, role: .member), .init(eva, role: .responder), .init(kim, role: .dependent),
      .init(old, role: .admin, isExcluded: true), .init(eva, role: .admin))
    #expect(all.recipients.map(\.id) == [eva])
    let few = raised(
      .init(ben, role: .member), .init(kim, role: .dependent),
      .init(old, role: .admin, isExcluded: true))
    #expect(few.recipients.map(\.id) == [ben])
    #expect(raised(.init(kim, role: .dependent)).recipients.isEmpty)
  }

  @Test("a person whose raised alert reaches no one is notified of that")
  func alone() throws {
    let off = UserProfile(switches: [.inApp: false])
    let kim = Prompt.Member(UUID(name: "kim"), role: .dependent)
    let ben = Prompt.Member(UUID(name: "ben"), role: .admin, profile: off)
    func notices(_ prompt: Prompt) throws -> [String] {
      try prompt.notices(zones: .system, at: Self.night()).map {
        "\($0.recipient == person ? "own" : "other") \($0.channel.rawValue) \($0.status.rawValue)"
      }
    }
    let own = ["own push pending", "own in_app pending"]
    #expect(try notices(raised()) == own)
    #expect(try notices(raised(kim)) == own)
    #expect(try notices(raised(ben)) == ["other in_app skipped"] + own)
    var unreachable = raised()
    unreachable.profile = off
    #expect(try notices(unreachable) == ["own in_app skipped"])
  }

  @Test("in the app alone a raised alert has no expiry, and a ping has its own")
  func expiryInTheApp() throws {
    let now = try Self.night()
    let appOnly = UserProfile(switches: [:])
    let alert = raised(.init(UUID(name: "ben"), role: .admin, profile: appOnly))
    #expect(alert.notices(zones: .system, at: now).map(\.expiresAt) == [nil])
    let end = now.adding(seconds: 24 * 3600)
    let ping = Prompt(
      .ping, id: UUID(name: "a ping"), about: person, expiresAt: end, profile: appOnly)
    #expect(ping.notices(zones: .system, at: now).map(\.expiresAt) == [end])
  }

  @Test("a raised alert disturbs quiet hours, unless they hold for critical ones, too")
  func quietHours() throws {
    let now = try Self.night()
    var profile = UserProfile(switches: [.push: true])
    func due(_ prompt: Prompt) -> [String] {
      prompt.notices(zones: .system, at: now).map {
        "\($0.channel.rawValue) \($0.scheduledFor == now) \($0.statusReason?.rawValue ?? "-")"
      }
    }
    let ben = UUID(name: "ben")
    #expect(
      due(raised(.init(ben, role: .admin, profile: profile))) == ["push true -", "in_app true -"])
    profile.quietHoursApplyToCritical = true
    #expect(
      due(raised(.init(ben, role: .admin, profile: profile)))
        == ["push false quiet_hours", "in_app true -"])
    var ping = Prompt(.ping, id: UUID(name: "a ping"), about: person)
    ping.expiresAt = now.adding(seconds: 24 * 3600)
    #expect(due(ping) == ["push false quiet_hours", "in_app true -"])
  }

  @Test("a recipient with every channel off leaves a skipped row")
  func unreachable() throws {
    let notices = raised(
      .init(UUID(name: "ben"), role: .admin, profile: UserProfile(switches: [.inApp: false]))
    ).notices(zones: .system, at: try Self.night())
    #expect(notices[0].channel == .inApp)
    #expect(notices[0].status == .skipped && notices[0].statusReason == .preferenceOff)
  }

  @Test("a reminder that quiet hours would delay past the deadline is shown in the app only")
  func lateReminder() throws {
    let now = try Self.night()
    // The interval ends at one, and quiet hours at seven.
    let plan = CheckInPlan(
      intervalMinutes: 1_440, graceMinutes: 0, startsAt: now.adding(seconds: -22 * 3600),
      reminderMinutes: 120)
    let prompt = try #require(Prompt(remindingOf: plan, person, at: now))
    #expect(
      prompt.notices(zones: .system, at: now).map {
        "\($0.channel.rawValue) \($0.status.rawValue) \($0.statusReason?.rawValue ?? "-")"
      } == ["push skipped expired", "in_app pending -"])
    #expect(Prompt(remindingOf: plan, person, at: now.adding(seconds: -1)) == nil)
    #expect(Prompt(remindingOf: plan, person, at: now.adding(seconds: 2 * 3600 - 1)) != nil)
    #expect(Prompt(remindingOf: plan, person, at: now.adding(seconds: 2 * 3600)) == nil)
  }

  @Test("a plan without a usable reminder has none", arguments: [nil, 0, -5, 1_440, 2_000])
  func noReminder(minutes: Int?) throws {
    let now = try Self.night()
    let plan = CheckInPlan(
      intervalMinutes: 1_440, graceMinutes: 0, startsAt: now, reminderMinutes: minutes)
    #expect(plan.reminder(after: nil) == nil)
    #expect(Prompt(remindingOf: plan, person, at: now.adding(seconds: 23 * 3600)) == nil)
  }

  @Test("a payload holds ids and words of the program", arguments: Prompt.Kind.allCases)
  func payload(kind: Prompt.Kind) throws {
    var prompt = Prompt(kind, id: UUID(name: "a prompt"), about: person)
    prompt.members = [.init(UUID(name: "ben"), role: .admin)]
    let notice = try #require(prompt.notices(zones: .system, at: try Self.night()).first)
    #expect(
      notice.payload
        == """
        {"detail":"reference","kind":"\(kind.rawValue)","prompt_id":"\(prompt.id.lowercased)",\
        "template_id":"\(kind.rawValue)"}
        """)
    #expect(notice.id == UUID(name: "notification_queue:\(notice.dedupeKey)"))
    let schema = try JSONSchema(
      contentsOf: SharedFolder.repository.appending(
        path: "schemas/notification_payload.schema.json"))
    #expect(try schema.problems(of: JSON(text: notice.payload)) == [])
  }
}
