import CCurl
import Foundation

/// The owner of a libcurl handle, which keeps its connection for the next message.
///
/// Unchecked because the compiler cannot see it: a handle is used by one thread at a time, which the pool lends
/// it to.
final class CurlHandle: @unchecked Sendable {
  private let handle: OpaquePointer?

  /// libcurl asks for one call before any other, which no other thread may overlap.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init() {
    handle = Self.isReady ? curl_easy_init().map { OpaquePointer($0) } : nil
  }

  deinit {
    if let handle { curl_easy_cleanup(UnsafeMutableRawPointer(handle)) }
  }

  /// The end of an attempt to send a message.
  struct Ending {
    var code: CURLcode
    /// The last answer of the server; 0 for none.
    var answer: Int
    /// Whether a part of the message itself was sent.
    var hasBegun: Bool
  }

  /// Sends a message, and blocks its thread meanwhile.
  ///
  /// - Parameters:
  ///   - message: Its bytes.
  ///   - recipient: The address of the envelope.
  ///   - server: Where to.
  ///   - password: That of the server's user.
  ///   - timeout: For the whole exchange.
  func send(
    _ message: Data, to recipient: String, by server: MailServer, password: String?,
    timeout: Duration
  ) -> Ending {
    guard let handle else {
      return Ending(code: CURLE_FAILED_INIT, answer: 0, hasBegun: false)
    }
    let curl = UnsafeMutableRawPointer(handle)
    let recipients = curl_slist_append(nil, "<\(recipient)>")
    defer { curl_slist_free_all(recipients) }
    let milliseconds = max(1, Int(timeout / .milliseconds(1)))
    return message.withUnsafeBytes { bytes in
      var upload = vigil_upload(
        bytes: bytes.bindMemory(to: CChar.self).baseAddress, count: bytes.count, taken: 0)
      return withUnsafeMutablePointer(to: &upload) { upload in
        let code =
          set(curl, server, password) {
            vigil_curl_set_list(curl, CURLOPT_MAIL_RCPT, recipients)
          } ?? set(curl, milliseconds, upload) ?? curl_easy_perform(curl)
        let answer = vigil_curl_response_code(curl)
        // Forgets the message and the addresses, and keeps the connection.
        curl_easy_reset(curl)
        return Ending(code: code, answer: answer, hasBegun: upload.pointee.taken > 0)
      }
    }
  }

  /// Sets what a server needs; returns the first code that is an error.
  private func set(
    _ curl: UnsafeMutableRawPointer, _ server: MailServer, _ password: String?,
    recipients: () -> CURLcode
  ) -> CURLcode? {
    let isRequired = server.encryption == .required
    var codes = [
      vigil_curl_set_text(curl, CURLOPT_URL, server.url),
      vigil_curl_set_text(curl, CURLOPT_MAIL_FROM, "<\(server.sender)>"),
      recipients(),
      vigil_curl_set_long(
        curl, CURLOPT_USE_SSL, Int(isRequired ? CURLUSESSL_ALL.rawValue : CURLUSESSL_NONE.rawValue)),
    ]
    if let user = server.user, let password {
      codes.append(vigil_curl_set_text(curl, CURLOPT_USERNAME, user))
      codes.append(vigil_curl_set_text(curl, CURLOPT_PASSWORD, password))
    }
    if let file = server.certificatesFile {
      codes.append(vigil_curl_set_text(curl, CURLOPT_CAINFO, file))
    }
    return codes.first { $0 != CURLE_OK }
  }

  private func set(
    _ curl: UnsafeMutableRawPointer, _ milliseconds: Int,
    _ upload: UnsafeMutablePointer<vigil_upload>
  ) -> CURLcode? {
    [
      vigil_curl_set_long(curl, CURLOPT_TIMEOUT_MS, milliseconds),
      vigil_curl_set_long(curl, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 10_000)),
      // How long a silent server may take to answer the farewell, which the timeout does not count: 120 seconds
      // without it.
      vigil_curl_set_long(
        curl, CURLOPT_SERVER_RESPONSE_TIMEOUT, (milliseconds + 999) / 1000),
      // Signals are the process's.
      vigil_curl_set_long(curl, CURLOPT_NOSIGNAL, 1),
      // Debian's OpenSSL refuses older ones anyhow; others may not.
      vigil_curl_set_long(curl, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      // The environment names no proxy for mail.
      vigil_curl_set_text(curl, CURLOPT_PROXY, ""),
      vigil_curl_drop_answers(curl),
      vigil_curl_set_upload(curl, upload),
    ].first { $0 != CURLE_OK }
  }
}
