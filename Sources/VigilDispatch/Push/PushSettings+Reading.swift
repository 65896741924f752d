import Foundation
import VigilModel

extension APNsSettings {
  /// Reads the object `apns` of a channel, and complains about what is wrong with it; nil where it cannot be used.
  init?(_ reader: JSONReader) {
    reader.allowOnly([
      "team_id", "key_id", "key_file", "key_variable", "topic", "environment", "url",
      "certificates_file",
    ])
    var environment = Environment.production
    reader.word("environment", into: &environment)
    let team = reader.text("team_id", needed: "the team of the developer account")
    let keyID = reader.text("key_id", needed: "the name of the key")
    let topic = reader.text("topic", needed: "the bundle id of the app")
    let key = reader.secret("key")
    if key == nil { reader.complain("key_file", "is missing; it is the .p8 file of the key") }
    let url = reader.serviceURL()
    if url != nil, reader.value("environment") != nil {
      reader.complain("environment", "excludes url; give one of them")
    }
    guard let team, let keyID, let topic, let key else { return nil }
    self.init(
      team: team, keyID: keyID, key: key, topic: topic, url: url ?? environment.url,
      certificatesFile: reader.text("certificates_file"))
  }

  private enum Environment: String, CaseIterable {
    case production
    case development

    var url: String {
      switch self {
      case .production: APNsSettings.production
      case .development: APNsSettings.development
      }
    }
  }
}

extension FCMSettings {
  /// Reads the object `fcm` of a channel, and complains about what is wrong with it; nil where it cannot be used.
  init?(_ reader: JSONReader) {
    reader.allowOnly([
      "service_account_file", "service_account_variable", "url", "certificates_file",
    ])
    guard let account = reader.secret("service_account") else {
      reader.complain(
        "service_account_file", "is missing; it is the JSON file of the service account")
      return nil
    }
    self.init(
      serviceAccount: account, url: reader.serviceURL() ?? Self.production,
      certificatesFile: reader.text("certificates_file"))
  }
}

extension URLComponents {
  /// The parts of an address that names a server; nil where the host is missing or the port is none.
  init?(serverAt text: String) {
    self.init(string: text)
    guard let host, !host.isEmpty else { return nil }
    // A port that is no integer is none to Foundation.
    if let match = text.prefixMatch(of: /[a-z]+:\/\/[^\/?#]*:([0-9]+)(?:[\/?#]|$)/) {
      guard let port = UInt16(match.output.1), port > 0 else { return nil }
    }
  }
}

extension JSONReader {
  /// The key `url` of a service in place of its own; complains about another one than https without a path.
  fileprivate func serviceURL() -> String? {
    guard let text = text("url") else { return nil }
    guard let url = URLComponents(serverAt: text), url.scheme == "https", url.path.isEmpty,
      url.query == nil, url.user == nil
    else {
      complain("url", "must be https://HOST or https://HOST:PORT")
      return nil
    }
    return text
  }
}
