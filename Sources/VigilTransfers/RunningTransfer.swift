import CCurl
import Foundation

/// A transfer with what libcurl reads from and writes to, while a handle carries it.
final class RunningTransfer {
  let pending: PendingTransfer
  private let limits: TransferLimits
  /// The part of an answer that has come.
  fileprivate(set) var answer = HTTPAnswer()
  /// The bytes of the body that libcurl has taken.
  fileprivate var taken = 0
  /// Lists that libcurl reads until the transfer has ended.
  private var lists: [UnsafeMutablePointer<curl_slist>] = []

  init(_ pending: PendingTransfer, _ limits: TransferLimits) {
    self.pending = pending
    self.limits = limits
  }

  deinit { for list in lists { curl_slist_free_all(list) } }

  private var isMail: Bool {
    if case .mail = pending.transfer.kind { true } else { false }
  }

  /// Sets up a handle; returns the failure where that cannot be done.
  func prepare(_ handle: UnsafeMutableRawPointer) -> TransferFailure? {
    let options = CurlOptions(handle)
    let transfer = pending.transfer
    let milliseconds = max(1, Int(transfer.timeout / .milliseconds(1)))
    options.set(CURLOPT_URL, transfer.url)
    options.set(CURLOPT_TIMEOUT_MS, milliseconds)
    options.set(
      CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, Int(limits.connect / .milliseconds(1))))
    // Signals are the process's.
    options.set(CURLOPT_NOSIGNAL, 1)
    options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    // The environment names no proxy for notifications.
    options.set(CURLOPT_PROXY, "")
    if let file = transfer.certificatesFile {
      options.set(CURLOPT_CAINFO, file)
      options.set(CURLOPT_CAPATH, nil)
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    options.set(CURLOPT_READDATA, context)
    options.set(CURLOPT_WRITEDATA, context)
    options.set(CURLOPT_HEADERDATA, context)
    // The body comes by a function that cannot go back. libcurl would send it again where a kept connection ends
    // without an answer, and report one success for two requests.
    options.set(CURLOPT_READFUNCTION, readBody)
    options.set(CURLOPT_WRITEFUNCTION, isMail ? dropBytes : writeBody)
    options.set(CURLOPT_HEADERFUNCTION, isMail ? dropBytes : writeHeader)
    switch transfer.kind {
    case .http(let method, let headers, let sharesConnections):
      guard let list = Self.list(of: headers) else { return .unsendable }
      lists.append(list)
      options.set(CURLOPT_PROTOCOLS_STR, "http,https")
      options.set(CURLOPT_HTTPHEADER, list)
      if method == .get {
        options.set(CURLOPT_HTTPGET, 1)
      } else {
        options.set(CURLOPT_POST, 1)
        if method != .post { options.set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
        options.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: transfer.body.count)
      }
      options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      options.set(CURLOPT_PIPEWAIT, sharesConnections ? 1 : 0)
      options.set(CURLOPT_TCP_KEEPALIVE, 1)
    case .mail(let envelope):
      guard let list = curl_slist_append(nil, "<\(envelope.recipient)>") else { return .other }
      lists.append(list)
      options.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
      options.set(CURLOPT_UPLOAD, 1)
      options.set(CURLOPT_MAIL_FROM, "<\(envelope.sender)>")
      options.set(CURLOPT_MAIL_RCPT, list)
      let encryption = envelope.requiresEncryption ? CURLUSESSL_ALL : CURLUSESSL_NONE
      options.set(CURLOPT_USE_SSL, Int(encryption.rawValue))
      // How long a silent server may take to answer the farewell, which the timeout does not count: 120 seconds
      // without it.
      options.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, (milliseconds + 999) / 1000)
      if let login = envelope.login {
        options.set(CURLOPT_USERNAME, login.user)
        options.set(CURLOPT_PASSWORD, login.password)
      }
    }
    return options.isComplete ? nil : .other
  }

  /// The headers as libcurl takes them; nil where one cannot be sent.
  private static func list(
    of headers: [(name: String, value: String)]
  ) -> UnsafeMutablePointer<curl_slist>? {
    // libcurl adds these by itself.
    var lines = ["Expect:"]
    if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    for (name, value) in headers {
      guard (name + value).utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else { return nil }
      // An empty value would take the header away.
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        return nil
      }
      list = longer
    }
    return list
  }

  /// Returns the ending that a code of libcurl stands for.
  func ending(_ code: CURLcode, of handle: UnsafeMutableRawPointer) -> TransferEnding {
    if isMail {
      let status = vigil_curl_get_long(handle, CURLINFO_RESPONSE_CODE)
      return TransferEnding(
        status: status == 0 ? nil : status, failure: failure(code, hasBegun: taken > 0),
        hasBegun: taken > 0)
    }
    if answer.hasHead {
      return TransferEnding(
        status: answer.status, retryAfter: answer.retryAfter, body: Data(answer.body),
        hasBegun: true)
    }
    let hasBegun = taken > 0 || vigil_curl_get_long(handle, CURLINFO_REQUEST_SIZE) > 0
    // A head is there even where libcurl finds nothing wrong.
    return TransferEnding(failure: failure(code, hasBegun: hasBegun) ?? .closed, hasBegun: hasBegun)
  }

  private func failure(_ code: CURLcode, hasBegun: Bool) -> TransferFailure? {
    switch code {
    case CURLE_OK: nil
    // Where it has begun, the connection that took the request ended without an answer, and libcurl could not make
    // another one.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: hasBegun ? .closed : .unreachable
    case CURLE_OPERATION_TIMEDOUT: hasBegun || isMail ? .timeout : .connectTimeout
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR:
      hasBegun ? .closed : .encryption
    case CURLE_LOGIN_DENIED: .login
    case CURLE_REMOTE_ACCESS_DENIED: .accessDenied
    case CURLE_WEIRD_SERVER_REPLY where isMail: .oddReply
    case CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
      CURLE_PARTIAL_FILE, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      .closed
    default: .other
    }
  }
}

private let readBody: vigil_curl_callback = { target, size, number, context in
  guard let target, let context else { return 0 }
  let transfer = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
  let body = transfer.pending.transfer.body
  let count = min(size * number, body.count - transfer.taken)
  let start = body.startIndex + transfer.taken
  UnsafeMutableRawBufferPointer(start: target, count: count).copyBytes(
    from: body[start..<(start + count)])
  transfer.taken += count
  return count
}

private let writeHeader: vigil_curl_callback = { bytes, size, number, context in
  guard let bytes, let context else { return 0 }
  let transfer = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
  let line = UnsafeRawBufferPointer(start: bytes, count: size * number)
  return transfer.answer.addHeader(line, bodyTimeout: transfer.bodyTimeout) ? line.count : 0
}

private let writeBody: vigil_curl_callback = { bytes, size, number, context in
  guard let bytes, let context else { return 0 }
  let transfer = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
  return transfer.answer.addBody(UnsafeRawBufferPointer(start: bytes, count: size * number))
}

/// Answers of a mail server would go to the standard output.
private let dropBytes: vigil_curl_callback = { _, size, number, _ in size * number }

extension RunningTransfer {
  fileprivate var bodyTimeout: Duration { limits.body }
}

/// The options of a handle; the first one that it does not take is an error of all.
private final class CurlOptions {
  private let handle: UnsafeMutableRawPointer
  private(set) var isComplete = true

  init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

  private func note(_ code: CURLcode) { if code != CURLE_OK { isComplete = false } }

  func set(_ option: CURLoption, _ value: Int) { note(vigil_curl_set_long(handle, option, value)) }

  func set(_ option: CURLoption, _ value: String?) {
    note(vigil_curl_set_text(handle, option, value))
  }

  func set(_ option: CURLoption, offset: Int) {
    note(vigil_curl_set_offset(handle, option, curl_off_t(offset)))
  }

  func set(_ option: CURLoption, _ list: UnsafeMutablePointer<curl_slist>) {
    note(vigil_curl_set_list(handle, option, list))
  }

  func set(_ option: CURLoption, _ context: UnsafeMutableRawPointer) {
    note(vigil_curl_set_context(handle, option, context))
  }

  func set(_ option: CURLoption, _ callback: @escaping vigil_curl_callback) {
    note(vigil_curl_set_callback(handle, option, callback))
  }
}
