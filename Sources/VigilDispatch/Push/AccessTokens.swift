import Foundation
import VigilModel
import VigilStorage

/// A service account of Google.
struct ServiceAccount: Sendable {
  var project: String
  var email: String
  /// The address that grants access tokens.
  var tokenURL: String
  var keyID: String
  var signer: TokenSigner

  private struct File: Decodable {
    var project_id: String
    var client_email: String
    var token_uri: String
    var private_key_id: String
    var private_key: String
  }

  /// - Throws: `UnusablePushKey`.
  init(_ data: Data) throws {
    guard let file = try? JSONDecoder().decode(File.self, from: data),
      file.token_uri.hasPrefix("https://"),
      file.project_id.wholeMatch(of: /[A-Za-z0-9:._-]+/) != nil
    else {
      throw UnusablePushKey(
        reason: "is no file of a service account; download one from Google's console, with type,"
          + " project_id, client_email, token_uri, private_key_id and private_key")
    }
    project = file.project_id
    email = file.client_email
    tokenURL = file.token_uri
    keyID = file.private_key_id
    signer = try TokenSigner(rsa: file.private_key)
  }
}

/// The access tokens of a service account (RFC 7523), of which each is used until a minute before its end.
actor AccessTokens {
  /// In seconds; Google grants an hour, and another answer may name any number.
  private static let longestUse: Int64 = 86_400

  private let account: ServiceAccount
  private let client: PushClient
  private var present: (text: String, until: Timestamp)?
  /// A question that others wait for, too.
  private var asking: Task<Answer, Never>?

  enum Answer: Sendable {
    case token(String, seconds: Int64)
    case none(DeliveryAnswer)
  }

  enum Token: Sendable {
    case token(String)
    case none(DeliveryAnswer)
  }

  init(account: ServiceAccount, client: PushClient) {
    self.account = account
    self.client = client
  }

  func token(until deadline: ContinuousClock.Instant, at now: Timestamp) async -> Token {
    if let present, now < present.until { return .token(present.text) }
    let question =
      asking
      ?? Task { [account, client] in
        await Self.ask(account, client, until: deadline, at: now)
      }
    asking = question
    let answer = await question.value
    if asking == question { asking = nil }
    switch answer {
    case .token(let text, let seconds):
      present = (text, now.adding(seconds: min(max(61, seconds), Self.longestUse) - 60))
      return .token(text)
    case .none(let answer): return .none(answer)
    }
  }

  /// Asks for another token the next time, unless that has happened.
  func discard(_ token: String) {
    if present?.text == token { present = nil }
  }

  private struct Claims: Encodable {
    var iss: String
    var scope = "https://www.googleapis.com/auth/firebase.messaging"
    var aud: String
    var iat: Int
    var exp: Int
  }

  private struct Granted: Decodable {
    var access_token: String
    var expires_in: Int64
  }

  private static func ask(
    _ account: ServiceAccount, _ client: PushClient, until deadline: ContinuousClock.Instant,
    at now: Timestamp
  ) async -> Answer {
    func failed(_ code: String, after pause: Double? = nil) -> Answer {
      .none(DeliveryAnswer(.failed(DeliveryErrorCode(code), after: pause)))
    }
    let claims = Claims(
      iss: account.email, aud: account.tokenURL, iat: now.wholeSeconds,
      exp: now.wholeSeconds + 3600)
    guard let assertion = try? account.signer.sign(claims, keyID: account.keyID) else {
      return failed("oauth_key")
    }
    // The characters of a signed token need no escape.
    let form =
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
    let exchange = await client.post(
      account.tokenURL, headers: [("content-type", "application/x-www-form-urlencoded")],
      body: Data(form.utf8), until: deadline)
    guard case .response(let response) = exchange else {
      // No message was sent, so that nothing is uncertain.
      return failed("oauth_no_answer")
    }
    guard response.status == 200 else {
      return failed(
        "oauth_http_\(response.status)", after: RetryAfter.seconds(response.retryAfter, at: now))
    }
    guard let granted = try? JSONDecoder().decode(Granted.self, from: response.body) else {
      return failed("oauth_answer")
    }
    return .token(granted.access_token, seconds: granted.expires_in)
  }
}
