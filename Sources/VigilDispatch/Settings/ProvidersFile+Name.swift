import Foundation

extension ProvidersFile.Provider {
  /// The provider in words, such as `webhook push.example.org`; without paths of a URL and arguments, which may be
  /// secret.
  public var name: String {
    switch self {
    case .webhook(let url, _): "webhook \(Self.host(url))"
    case .messenger(let url, let settings):
      switch url {
      case .text(let url): "\(settings.name) \(Self.host(url))"
      case .secret, nil: settings.name
      }
    case .command(let words): "command \(words[0])"
    case .push(let apns, let fcm):
      [apns.map { "APNs \(Self.host($0.url))" }, fcm.map { "FCM \(Self.host($0.url))" }]
        .compactMap(\.self).joined(separator: ", ")
    case .mail(let server): "mail server \(Self.host(server.url))"
    }
  }

  private static func host(_ url: String) -> String { URL(string: url)?.host ?? "" }
}

extension MessengerSettings {
  /// A shipped template by its name, another by the name of its file.
  fileprivate var name: String {
    let file = template.split(separator: "/").last.map(String.init) ?? template
    return file.hasSuffix(".json") ? String(file.dropLast(5)) : file
  }
}
