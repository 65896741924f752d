import Foundation
import VigilModel

extension MailServer {
  /// Reads the object `smtp` of a channel, and complains about what is wrong with it; nil where it cannot be used.
  init?(_ reader: JSONReader) {
    reader.allowOnly([
      "url", "from", "from_name", "tls", "user", "password_file", "password_variable",
      "certificates_file",
    ])
    var encryption = Encryption.required
    reader.word("tls", into: &encryption)
    let url = reader.text("url", needed: "the server, such as smtp://mail.example.org:587")
    let sender = reader.text("from", needed: "the address of the sender")
    self.init(
      url: url ?? "", sender: sender ?? "", senderName: reader.text("from_name"),
      encryption: encryption, user: reader.text("user"), password: reader.secret("password"),
      certificatesFile: reader.text("certificates_file"))
    if let url, !Self.isMailURL(url) {
      reader.complain("url", "must be smtp://HOST:PORT or smtps://HOST:PORT")
    }
    if let sender, !MailMessage.isAddress(sender) { reader.complain("from", "is no address") }
    if senderName?.contains(where: \.isNewline) == true {
      reader.complain("from_name", "must be one line")
    }
    if (user == nil) != (password == nil) {
      reader.complain(
        "user", "goes with password_file or password_variable; give both or none")
    }
    if encryption == Encryption.none, user != nil {
      reader.complain("tls", "must be required where there is a password")
    }
    if url == nil || sender == nil { return nil }
  }

  /// Without a path, a user or a password in it, which messages would show.
  private static func isMailURL(_ text: String) -> Bool {
    guard let url = URLComponents(serverAt: text) else { return false }
    return ["smtp", "smtps"].contains(url.scheme) && url.user == nil && url.password == nil
      && ["", "/"].contains(url.path) && url.query == nil && url.fragment == nil
  }
}
