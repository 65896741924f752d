import TestSupport

/// The processes that a test has killed.
struct Kills {
  /// Their process ids.
  var dispatchers: Set<Int> = []
  var provider = 0
  /// When it was killed, and when it worked again, in seconds since 1970.
  var database: [ClosedRange<Double>] = []
}

/// The end of one taking of a row, as the database has recorded it.
struct TakingEnding {
  /// Seconds since 1970; 0 where the database does not say.
  var at: Double
  var status: String
  var error: String
  /// Whether the sender recorded the outcome of an attempt.
  var isAttempt: Bool
  /// The process id of the sender whose lease it was; nil where the lease had been taken back before.
  var owner: Int?
}

/// Compares the deliveries that a provider has made, or may have, with what senders have recorded.
struct DeliveryAccount {
  /// Rows that were accepted with the taking that is recorded as sent.
  private(set) var delivered = 0
  /// Deliveries that were repeated because their outcome was recorded as unknown.
  private(set) var afterUnknown = 0
  /// Deliveries that were repeated because a kill came before the record.
  private(set) var afterKills = 0
  private(set) var unexplained: [String] = []

  /// The codes of attempts whose outcome the sender does not know.
  private static let unknown: Set = [
    "timeout", "connection_closed", "connection_error", "http_error",
  ]

  private struct Taking: Hashable {
    var id: String
    var token: Int
  }

  /// - Parameters:
  ///   - requests: All that the provider has got.
  ///   - endings: `id|token|at|status|error|is attempt|owner`, ascending in time.
  ///   - ids: `dedupe key|id|token of the last taking` of each row.
  init(_ requests: [ProviderServer.Request], endings: [String], ids: [String], kills: Kills) {
    var ended: [Taking: [TakingEnding]] = [:]
    for line in endings {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let taking = Taking(id: parts[0], token: Int(parts[1]) ?? -1)
      ended[taking, default: []].append(
        TakingEnding(
          at: Double(parts[2]) ?? 0, status: parts[3], error: parts[4], isAttempt: parts[5] == "1",
          owner: parts[6].split(separator: ":").dropFirst().first.flatMap { Int($0) }))
    }
    let byKey = Dictionary(grouping: requests, by: \.key)
    for line in ids {
      let parts = line.split(separator: "|").map(String.init)
      let (key, id, last) = (parts[0], parts[1], Int(parts[2]) ?? -1)
      let own = byKey[key] ?? []
      let tokens = own.map { $0.attempt ?? -1 }
      if Set(tokens).count < tokens.count {
        unexplained.append("\(key): two requests of one taking, of \(tokens)")
      }
      if own.contains(where: { $0.isAccepted && $0.attempt == last }) {
        delivered += 1
      } else {
        unexplained.append(
          "\(key): sent by taking \(last), but answered \(own.map { ($0.attempt ?? -1, $0.answer) })"
        )
      }
      let deliveries = own.filter(\.mayBeDelivered)
      let latest = deliveries.compactMap(\.attempt).max() ?? -1
      for request in deliveries where (request.attempt ?? -1) < latest {
        explain(request, ended[Taking(id: id, token: request.attempt ?? -1)] ?? [], kills)
      }
    }
  }

  /// Counts a delivery that was repeated, by its reason.
  private mutating func explain(
    _ request: ProviderServer.Request, _ endings: [TakingEnding], _ kills: Kills
  ) {
    if let attempt = endings.first(where: \.isAttempt) {
      if attempt.status == "pending", Self.unknown.contains(attempt.error) {
        afterUnknown += 1
      } else {
        unexplained.append(
          "\(request.key), taking \(request.attempt ?? -1): accepted at \(request.time),"
            + " recorded as \(attempt.status) \(attempt.error)")
      }
      return
    }
    guard let end = endings.first, end.at >= request.time || end.at == 0 else {
      unexplained.append("\(request.key), taking \(request.attempt ?? -1): no end is recorded")
      return
    }
    let isDead = end.owner.map(kills.dispatchers.contains) ?? false
    if isDead
      || kills.database.contains(where: { $0.overlaps(request.time...max(end.at, request.time)) })
    {
      afterKills += 1
    } else {
      unexplained.append(
        "\(request.key), taking \(request.attempt ?? -1): accepted at \(request.time), given up at"
          + " \(end.at) by \(end.owner ?? -1), which lives")
    }
  }
}
