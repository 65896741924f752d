import Foundation
import GoldenFiles
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilDispatch

@Suite("Messages")
struct MessageTests {
  /// On the day that opened the alert, and on a later one.
  private static let opening = #","opened_on":"2026-05-09","window_days":9"#
  private static let later = #","opened_on":"2026-05-08","window_days":9"#
  private static let combined =
    #","metrics":["sleep_minutes","steps"],"unchanged_metrics":[],"window_days":9"#
  private static let group =
    #"{"alerts":[\#(standardPayload(more: opening)),\#(standardPayload(metric: "resting_hr", pattern: "rise_vs_baseline", deviation: "0.2", direction: "higher"))],"detail":"standard","kind":"pattern_alert_group","level":7,"severity":"attention"}"#
  private static let groupReference =
    #"{"alerts":[\#(referencePayload),\#(referencePayload)],"detail":"reference","level":7,"template_id":"pattern_alert.group"}"#

  /// Each kind of row, by a name.
  private static func rows(isOwn: Bool) throws -> [(String, ClaimedNotification)] {
    try [3, 7, 14, 21].map {
      (
        "level \($0)",
        try sampleRow(
          template: "pattern_alert.level_\($0)",
          payload: standardPayload(level: $0, days: $0 + 1, more: $0 == 3 ? opening : later),
          isOwn: isOwn)
      )
    } + [
      ("means are compared", try sampleRow(payload: standardPayload(days: 8), isOwn: isOwn)),
      (
        "adherence that rose to 67 %, below 80 %",
        try sampleRow(
          template: "pattern_alert.level_3",
          payload: standardPayload(
            metric: "dose_adherence_pct", level: 3, deviation: "2.11", direction: nil,
            more: #","below_limit":80"#), isOwn: isOwn)
      ),
      (
        "a drop that is none any more",
        try sampleRow(
          payload: standardPayload(deviation: "0.02", direction: nil), isOwn: isOwn)
      ),
      (
        "rise without a deviation",
        try sampleRow(
          payload: standardPayload(
            metric: "resting_hr", pattern: "rise_vs_baseline", deviation: "null",
            direction: "higher"), isOwn: isOwn)
      ),
      (
        "several metrics",
        try sampleRow(
          payload: standardPayload(
            metric: "combined", pattern: "worse_than_usual", deviation: "null", direction: nil,
            more: combined),
          isOwn: isOwn)
      ),
      (
        "an unknown metric",
        try sampleRow(payload: standardPayload(metric: "spo2_pct"), isOwn: isOwn)
      ),
      (
        "more missed doses than usual",
        try sampleRow(
          template: "pattern_alert.level_3",
          payload: standardPayload(
            metric: "dose_adherence_pct",
            more:
              #","doses":{"expected":10,"is_recorded":true,"missed":8,"usual":{"expected":11,"missed":1}},"window_days":10"#
          ), isOwn: isOwn)
      ),
      (
        "more missed doses than usual, level 7",
        try sampleRow(
          template: "pattern_alert.level_7",
          payload: standardPayload(
            metric: "dose_adherence_pct",
            more: #","doses":{"is_recorded":true,"usual":{"expected":10,"missed":0}}"#),
          isOwn: isOwn)
      ),
      (
        "no dose recorded",
        try sampleRow(
          template: "pattern_alert.level_7",
          payload: standardPayload(
            metric: "dose_adherence_pct",
            more: #","doses":{"is_recorded":false,"usual":{"expected":10,"missed":2}}"#),
          isOwn: isOwn)
      ),
      ("missed doses", try medication(.missedStreak, level: 3, isOwn: isOwn)),
      ("missed doses, level 7", try medication(.missedStreak, level: 7, isOwn: isOwn)),
      ("missed doses, level 14", try medication(.missedStreak, level: 14, isOwn: isOwn)),
      ("missed doses, level 21", try medication(.missedStreak, level: 21, isOwn: isOwn)),
      ("an overdue dose", try medication(.missedDose, level: 3, isOwn: isOwn)),
      ("refill due", try medication(.refillDue, level: 3, isOwn: isOwn)),
      ("refill due, level 7", try medication(.refillDue, level: 7, isOwn: isOwn)),
      ("refill due, level 14", try medication(.refillDue, level: 14, isOwn: isOwn)),
      ("refill due, level 21", try medication(.refillDue, level: 21, isOwn: isOwn)),
      ("silence", try silence("inactivity", level: 3, isOwn: isOwn)),
      ("silence of 14 days", try silence("inactivity", level: 14, isOwn: isOwn)),
      ("an overdue check-in", try silence("check_in_overdue", level: 3, isOwn: isOwn)),
      ("recovery", try sampleRow(template: "pattern_alert.recovered", isOwn: isOwn)),
      ("group", try sampleRow(template: "pattern_alert.group", payload: group, isOwn: isOwn)),
      ("reference", try sampleRow(payload: referencePayload, isOwn: isOwn)),
      (
        "call upon a caregiver",
        try sampleRow(template: "escalation.caregiver", payload: referencePayload, isOwn: isOwn)
      ),
      (
        "call upon an emergency contact",
        try sampleRow(template: "escalation.contact", payload: referencePayload, isOwn: isOwn)
      ),
      (
        "raised alert",
        try sampleRow(template: "raised_alert", payload: referencePayload, isOwn: isOwn)
      ),
      ("ping", try sampleRow(template: "ping", payload: referencePayload, isOwn: isOwn)),
      (
        "reminder of a check-in",
        try sampleRow(template: "check_in_reminder", payload: referencePayload, isOwn: isOwn)
      ),
      (
        "quota of text messages",
        try sampleRow(template: "quota_warning", payload: referencePayload, isOwn: isOwn)
      ),
      ("telephone call", try call("pattern_alert.level_21", standardPayload(level: 21), isOwn)),
      ("telephone call of a raised alert", try call("raised_alert", referencePayload, isOwn)),
      (
        "telephone call of an emergency contact",
        try call("escalation.contact", referencePayload, isOwn)
      ),
      (
        "group of references",
        try sampleRow(template: "pattern_alert.group", payload: groupReference, isOwn: isOwn)
      ),
    ]
  }

  private static func call(
    _ template: String, _ payload: String, _ isOwn: Bool
  ) throws -> ClaimedNotification {
    var row = try sampleRow(template: template, payload: payload, isOwn: isOwn)
    row.channel = .call
    return row
  }

  @Test("a call says nothing about health", arguments: MessageCatalog.shippedLanguages)
  func calls(language: String) throws {
    let catalog = try MessageCatalog(fallback: language)
    let shown = try #require(
      catalog.message(for: Self.call("pattern_alert.level_21", standardPayload(), false)))
    for (template, payload) in [
      ("missed_streak.level_21", medicationPayload(.missedStreak, level: 21)),
      ("pattern_alert.level_21", referencePayload), ("pattern_alert.group", Self.group),
      ("escalation.caregiver", referencePayload),
    ] {
      #expect(catalog.message(for: try Self.call(template, payload, false)) == shown)
    }
    #expect(!(shown.subject + shown.text).contains { $0.isNumber })
    // What is spoken is short: about 15 words in 5 seconds.
    for template in ["pattern_alert.level_21", "raised_alert", "escalation.contact"] {
      for isOwn in [false, true] {
        let text = catalog.message(for: try Self.call(template, referencePayload, isOwn))?.text
        #expect((10...45).contains(text?.split(separator: " ").count ?? 0))
      }
    }
  }

  /// A row about a medication.
  private static func medication(
    _ metric: MetricType, level: Int, isOwn: Bool
  ) throws -> ClaimedNotification {
    try sampleRow(
      template: "\(metric).level_\(level)", payload: medicationPayload(metric, level: level),
      isOwn: isOwn)
  }

  /// A row about days without anything of a person.
  private static func silence(
    _ metric: String, level: Int, isOwn: Bool
  ) throws -> ClaimedNotification {
    try sampleRow(
      template: "pattern_alert.level_\(level)",
      payload: standardPayload(
        metric: metric, pattern: "silence", level: level, days: level + 2, deviation: "null",
        direction: nil), isOwn: isOwn)
  }

  @Test("the shipped languages", arguments: MessageCatalog.shippedLanguages)
  func shipped(language: String) throws {
    let catalog = try MessageCatalog(fallback: language)
    var text = ""
    for isOwn in [false, true] {
      for (name, row) in try Self.rows(isOwn: isOwn) {
        let message = try #require(catalog.message(for: row), "\(name)")
        #expect(message.language == language)
        text +=
          "=== \(name), about \(isOwn ? "the recipient" : "a member")\n\(message.subject)\n---\n\(message.text)\n"
      }
    }
    try expectSnapshot(text, "messages.\(language).txt")
  }

  @Test("a reference says nothing about health", arguments: MessageCatalog.shippedLanguages)
  func reference(language: String) throws {
    let catalog = try MessageCatalog(fallback: language)
    let shown = try #require(catalog.message(for: sampleRow(payload: referencePayload)))
    // Whatever the alert is of, the words are the same.
    for template in ["missed_streak.level_3", "refill_due.level_14"] {
      #expect(
        catalog.message(
          for: try sampleRow(template: template, payload: referencePayload)) == shown)
    }
    for template in ["pattern_alert.level_21", "pattern_alert.recovered", "pattern_alert.group"] {
      #expect(
        catalog.message(for: try sampleRow(template: template, payload: Self.groupReference))
          == shown)
    }
    #expect(!(shown.subject + shown.text).contains { $0.isNumber })
    let words = try #require(catalog.message(for: sampleRow())).text
    #expect(words.contains("36"))
  }

  @Test("a recipient gets the language that they chose, a part of it, or the default")
  func languages() throws {
    let catalog = try MessageCatalog(fallback: "de")
    let row = try sampleRow()
    for (preferred, language) in [("es", "es"), ("es-MX", "es"), ("fr", "de"), ("", "de")] {
      #expect(catalog.message(for: row, in: preferred)?.language == language)
    }
    #expect(catalog.message(for: row)?.language == "de")
  }

  @Test("without a template, or with a payload of another form, there are no words")
  func unknown() throws {
    let catalog = try MessageCatalog()
    #expect(catalog.message(for: try sampleRow(template: "refill_due")) == nil)
    for payload in ["", "{}", #"{"detail":"all"}"#, #"{"detail":"standard"}"#, "[]"] {
      #expect(catalog.message(for: try sampleRow(payload: payload)) == nil)
    }
  }

  @Test("a folder replaces shipped words key by key, and adds languages")
  func folder() throws {
    try TemporaryDirectory.with { folder in
      try Data(
        #"{"messages":{"pattern_alert.level_7":{"subject":"<{{metric}}>","text":"{{percent}} & {{level}}"}}}"#
          .utf8
      )
      .write(to: folder.url("en.json"))
      try Data(#"{"metrics":{"steps":"Pas"},"reference":{"subject":"Avis","text":"Ouvrez"}}"#.utf8)
        .write(to: folder.url("fr.json"))
      let catalog = try MessageCatalog(folder: folder.path)
      let message = try #require(catalog.message(for: sampleRow()))
      #expect((message.subject, message.text) == ("<Steps>", "36 & 7"))
      let french = try #require(
        catalog.message(for: sampleRow(payload: referencePayload), in: "fr"))
      #expect(french == Message(language: "fr", subject: "Avis", text: "Ouvrez"))
    }
  }

  @Test(
    "a fault in a folder is named",
    arguments: [
      ("[]", "is no JSON object"), (#"{"message":{}}"#, "has an unknown key message"),
      (#"{"messages":{"a":{"subject":""}}}"#, "messages.a lacks text"),
      (#"{"messages":{"a":{"subject":1,"text":""}}}"#, "messages.a.subject is of the wrong type"),
      (#"{"messages":{"a":{"subject":"{{#b}}","text":""}}}"#, "the template a is no Mustache"),
    ])
  func faults(text: String, problem: String) throws {
    try TemporaryDirectory.with { folder in
      try Data(text.utf8).write(to: folder.url("en.json"))
      let fault = #expect(throws: MessageFault.self) { try MessageCatalog(folder: folder.path) }
      #expect(fault?.description.contains(problem) == true, "\(fault?.description ?? "")")
    }
    #expect(throws: MessageFault.self) { try MessageCatalog(folder: "/no/such/folder") }
    #expect(throws: MessageFault.self) { try MessageCatalog(fallback: "fr") }
  }

  // Of 3.4e38, which some devices write for no value.
  @Test("words do without a deviation that no body has", arguments: ["1.9e36", "-1e300", "1000"])
  func absurdDeviation(deviation: String) throws {
    let row = try sampleRow(payload: standardPayload(deviation: deviation))
    let message = try #require(try MessageCatalog().message(for: row))
    #expect(message.text.contains("lower than usual"))
    #expect(!message.text.contains("%"))
  }
}
