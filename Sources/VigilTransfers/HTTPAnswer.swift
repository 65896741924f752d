/// The part of an HTTP answer that has come so far.
struct HTTPAnswer {
  private(set) var status = 0
  private(set) var retryAfter: String?
  private(set) var body: [UInt8] = []
  /// Whether the head of the final answer is complete; 1xx are not final.
  private(set) var hasHead = false
  /// When the rest of the body is given up; nil before the head is complete.
  private(set) var bodyDeadline: ContinuousClock.Instant?
  private var headCount = 0

  /// Three digits (RFC 9110, section 15); another code is none.
  private static let codes = 100...999
  /// The most bytes of a head, and of a body.
  private static let most = 1 << 16

  /// Adds a line of a head, with its end; false where the head is too long.
  mutating func addHeader(_ line: UnsafeRawBufferPointer, bodyTimeout: Duration) -> Bool {
    // Trailers follow the body.
    guard !hasHead else { return true }
    headCount += line.count
    guard headCount <= Self.most else { return false }
    let text = String(decoding: line.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
    if text.isEmpty {
      hasHead = status >= 200
      if hasHead { bodyDeadline = .now + bodyTimeout }
    } else if text.hasPrefix("HTTP/") {
      let code = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      status = Self.codes.contains(code) ? code : 0
      retryAfter = nil
    } else if let colon = text.firstIndex(of: ":"),
      text[..<colon].lowercased() == "retry-after"
    {
      retryAfter = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }.description
    }
    return true
  }

  /// Adds bytes of the body; returns how many were taken, fewer than there are where it is full.
  mutating func addBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    let taken = bytes.prefix(Self.most - body.count)
    body.append(contentsOf: taken)
    return taken.count
  }
}
