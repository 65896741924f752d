import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage
import VigilTransfers

@testable import VigilDispatch

/// The requests that messengers get, on a server of HTTP.
@Suite struct MessengerProviderTests {
  private static let ben = UUID(name: "ben")
  private static let message = Message(
    language: "en", subject: "Steps: lower <than> usual", text: "Steps & more.\nSecond line.")

  private func deliver(
    _ template: WebhookTemplate, to path: String, token: String? = nil,
    values: [String: String] = [:], recipients: [UUID: [String: String]] = [:],
    _ message: Message? = message, addresses: [DeliveryAddress] = []
  ) async throws -> (DeliveryAnswer, [ProviderServer.Request]) {
    let server = try ProviderServer()
    let client = TransferClient()
    let provider = MessengerProvider(
      client: client, template: template, url: server.url(path), token: token,
      settings: MessengerSettings(template: "", values: values, recipients: recipients),
      timeout: .seconds(20), now: { Timestamp(microseconds: 1_782_900_000_000_000) })
    let answer = await provider.deliver(
      Delivery(row: try sampleRow(), message: message, addresses: addresses))
    await client.close()
    return (answer, try server.requests())
  }

  private func deliver(
    shipped name: String, token: String? = nil, values: [String: String] = [:]
  ) async throws -> (request: ProviderServer.Request, body: NSDictionary) {
    let template = try #require(try WebhookTemplate.shipped(name))
    let (answer, requests) = try await deliver(template, to: "ok", token: token, values: values)
    #expect(answer == DeliveryAnswer(.delivered))
    let request = try #require(requests.first)
    #expect(requests.count == 1)
    #expect(request.headers["content-type"] == "application/json")
    #expect(!request.headers.values.contains { $0.contains("anna") })
    let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8))
    return (request, try #require(body as? NSDictionary))
  }

  @Test func ntfyGetsATopicAndAPriority() async throws {
    let (request, body) = try await deliver(
      shipped: "ntfy", token: "tk_secret", values: ["topic": "family"])
    #expect(request.method == "POST")
    #expect(request.headers["authorization"] == "Bearer tk_secret")
    #expect(
      body == [
        "topic": "family", "title": "Steps: lower <than> usual",
        "message": "Steps & more.\nSecond line.", "priority": 4,
      ])
    let open = try await deliver(shipped: "ntfy", values: ["topic": "family"])
    #expect(open.request.headers["authorization"] == nil)
  }

  @Test func telegramGetsATokenInItsAddress() async throws {
    let (request, body) = try await deliver(
      shipped: "telegram", token: "123:ab/c", values: ["chat_id": "-42"])
    #expect(request.answer == "ok/bot123:ab%2Fc/sendMessage")
    #expect(body["chat_id"] as? String == "-42")
    #expect(
      body["text"] as? String == "Steps: lower <than> usual\n\nSteps & more.\nSecond line.")
  }

  @Test func slackGetsItsSignsEscaped() async throws {
    let (_, body) = try await deliver(shipped: "slack")
    #expect(
      body == ["text": "*Steps: lower &lt;than&gt; usual*\nSteps &amp; more.\nSecond line."])
  }

  @Test func mattermostAndTeamsGetTheirForms() async throws {
    let mattermost = try await deliver(shipped: "mattermost")
    #expect(
      mattermost.body == ["text": "**Steps: lower <than> usual**\nSteps & more.\nSecond line."])
    let teams = try await deliver(shipped: "teams")
    #expect(teams.request.body.contains(#""text":"Steps: lower <than> usual""#))
    #expect(teams.request.body.contains(#""type":"AdaptiveCard""#))
  }

  @Test func matrixGetsAPutWithTheKeyOfTheRow() async throws {
    let (request, body) = try await deliver(
      shipped: "matrix", token: "syt", values: ["room": "!a/b:example.org"])
    #expect(request.method == "PUT")
    #expect(
      request.answer
        == "ok/_matrix/client/v3/rooms/!a%2Fb:example.org/send/m.room.message/anna:alert:ben:push:7"
    )
    #expect(request.headers["authorization"] == "Bearer syt")
    #expect(body["msgtype"] as? String == "m.text")
  }

  @Test func recipientsHaveValuesOfTheirOwn() async throws {
    let ntfy = try #require(try WebhookTemplate.shipped("ntfy"))
    let (answer, requests) = try await deliver(
      ntfy, to: "ok", values: ["topic": "all"], recipients: [Self.ben: ["topic": "ben"]])
    #expect(answer == DeliveryAnswer(.delivered))
    #expect(requests.first?.body.contains(#""topic":"ben""#) == true)
    let (refusal, none) = try await deliver(
      ntfy, to: "ok", recipients: [UUID(name: "carla"): ["topic": "carla"]])
    #expect(refusal == DeliveryAnswer(.refused(DeliveryErrorCode("no_address"))))
    #expect(none.isEmpty)
  }

  @Test func aTemplateOfOnesOwnMayNameTheAddress() async throws {
    let own = try WebhookTemplate(
      data: Data(
        """
        {"url": "{{url}}/{{address}}", "headers": {"X-Level": "{{level}}"},
         "body": ["{{text}}", 1.5, true, null, {"$number": "{{level}}"}]}
        """.utf8), file: "own.json")
    #expect(own.needsAddress)
    let (answer, requests) = try await deliver(
      own, to: "ok", addresses: [DeliveryAddress("+49 170")])
    #expect(answer == DeliveryAnswer(.delivered))
    #expect(requests.first?.answer == "ok/%2B49%20170")
    #expect(requests.first?.headers["x-level"] == "7")
    #expect(requests.first?.body == #"["Steps & more.\nSecond line.",1.5,true,null,7]"#)
  }

  @Test func whatIsNoNumberIsNull() async throws {
    let own = try WebhookTemplate(
      data: Data(
        #"{"body": [{"$number": "nan"}, {"$number": "inf"}, {"$number": "{{text}}"}]}"#.utf8),
      file: "own.json")
    #expect(try await deliver(own, to: "ok").1.first?.body == "[null,null,null]")
    let address = try WebhookTemplate(
      data: Data(#"{"body": "{{# address }}{{ address }}{{/address}}"}"#.utf8), file: "own.json")
    #expect(address.needsAddress)
  }

  @Test func answersAreThoseOfWebhooks() async throws {
    let slack = try #require(try WebhookTemplate.shipped("slack"))
    #expect(
      try await deliver(slack, to: "429").0
        == DeliveryAnswer(.failed(DeliveryErrorCode("http_429"), after: 1)))
    #expect(
      try await deliver(slack, to: "400").0
        == DeliveryAnswer(.refused(DeliveryErrorCode("http_400"))))
    #expect(
      try await deliver(slack, to: "ok", nil).0
        == DeliveryAnswer(.refused(DeliveryErrorCode("no_message"))))
  }

  @Test(arguments: [
    (#"{}"#, "body: is missing"), (#"[]"#, "must be an object"),
    (#"{"body": {"a": "{{/x}}"}}"#, "body: has a text that is no Mustache"),
    (#"{"body": "a", "method": "GET"}"#, "method: must be POST or PUT"),
    (#"{"body": "a", "url": "{{/x}}"}"#, "url: has a text that is no Mustache"),
    (#"{"body": "a", "escapes": {"ab": "c"}}"#, "escapes.ab: is not one sign"),
    (#"{"body": "a", "text": "c"}"#, "text"),
    (#"{"body": [1e999]}"#, "body: holds a number that is too large"),
    (#"{"body": "{{subjct}}"}"#, "body: names subjct, which there is not"),
    (#"{"body": "{{url}}"}"#, "body: names url, which there is not"),
  ])
  func whatIsNoTemplateIsRefused(text: String, words: String) {
    do {
      _ = try WebhookTemplate(data: Data(text.utf8), file: "own.json")
      Issue.record("\(text) was read")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
    }
  }
}
