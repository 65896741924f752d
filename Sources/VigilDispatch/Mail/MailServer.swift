/// The server that takes mail, and how it is spoken to.
public struct MailServer: Hashable, Sendable {
  /// `smtp://HOST[:PORT]`, or `smtps://HOST[:PORT]` for TLS from the first byte.
  public var url: String
  /// The address of the sender, such as `vigil@example.org`.
  public var sender: String
  /// The name that readers see with it; nil for none.
  public var senderName: String?
  public var encryption: Encryption
  /// Nil where the server wants no login.
  public var user: String?
  /// It goes with `user`.
  public var password: SecretSource?
  /// The file of certificates to trust in place of those of the system; nil for those.
  public var certificatesFile: String?

  public init(
    url: String, sender: String, senderName: String? = nil, encryption: Encryption = .required,
    user: String? = nil, password: SecretSource? = nil, certificatesFile: String? = nil
  ) {
    self.url = url
    self.sender = sender
    self.senderName = senderName
    self.encryption = encryption
    self.user = user
    self.password = password
    self.certificatesFile = certificatesFile
  }

  /// The use of TLS on a connection that begins without.
  public enum Encryption: String, CaseIterable, Sendable {
    /// Nothing is sent without.
    case required
    /// For a server on the same host.
    case none
  }
}
