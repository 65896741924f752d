import Foundation

extension ProvidersFile.Provider {
  /// The provider in words, such as `webhook push.example.org`; without paths of a URL and arguments, which may be
  /// secret.
  public var name: String {
    switch self {
    case .webhook(let url, _): "webhook \(Self.host(url))"
    case .command(let words): "command \(words[0])"
    case .push(let apns, let fcm):
      [apns.map { "APNs \(Self.host($0.url))" }, fcm.map { "FCM \(Self.host($0.url))" }]
        .compactMap(\.self).joined(separator: ", ")
    case .mail(let server): "mail server \(Self.host(server.url))"
    }
  }

  private static func host(_ url: String) -> String { URL(string: url)?.host ?? "" }
}
