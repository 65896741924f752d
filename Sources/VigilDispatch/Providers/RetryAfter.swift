import Foundation
import VigilModel

/// The header `Retry-After` of an answer (RFC 9110, section 10.2.3): seconds, or a date.
enum RetryAfter {
  /// Returns the seconds to wait from `now`; nil where there is no such header, or it is neither.
  static func seconds(_ value: String?, at now: Timestamp) -> Double? {
    let date = Date(timeIntervalSince1970: Double(now.microseconds) / 1e6)
    return value.flatMap { seconds($0, at: date) }
  }

  /// Returns the seconds to wait from `now`; nil for what is neither.
  static func seconds(_ value: String, at now: Date) -> Double? {
    let value = value.trimmingCharacters(in: .whitespaces)
    if !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) { return Double(value) }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: value).map { max(0, $0.timeIntervalSince(now)) }
  }
}
