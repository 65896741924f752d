/// Apple's service for push messages, with a key for provider tokens.
public struct APNsSettings: Hashable, Sendable {
  /// The team of the developer account, ten characters.
  public var team: String
  /// The name of the key, ten characters.
  public var keyID: String
  /// The private key, as Apple's `.p8` file has it.
  public var key: SecretSource
  /// The app: its bundle id.
  public var topic: String
  /// The service, `https://api.push.apple.com` for apps from the store.
  public var url: String
  /// Certificates to trust in place of those of the system; nil for these.
  public var certificatesFile: String?

  /// The service for apps from the store.
  public static let production = "https://api.push.apple.com"
  /// The service for apps that a developer has installed.
  public static let development = "https://api.sandbox.push.apple.com"

  public init(
    team: String, keyID: String, key: SecretSource, topic: String, url: String = production,
    certificatesFile: String? = nil
  ) {
    self.team = team
    self.keyID = keyID
    self.key = key
    self.topic = topic
    self.url = url
    self.certificatesFile = certificatesFile
  }
}

/// Google's service for push messages (Firebase Cloud Messaging, HTTP v1), with a service account.
public struct FCMSettings: Hashable, Sendable {
  /// The JSON file of the service account, which has its private key.
  public var serviceAccount: SecretSource
  /// The service.
  public var url: String
  /// Certificates to trust in place of those of the system; nil for these.
  public var certificatesFile: String?

  /// Google's service.
  public static let production = "https://fcm.googleapis.com"

  public init(
    serviceAccount: SecretSource, url: String = production, certificatesFile: String? = nil
  ) {
    self.serviceAccount = serviceAccount
    self.url = url
    self.certificatesFile = certificatesFile
  }
}
