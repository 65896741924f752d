public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func channelRests() throws -> [ChannelRest] {
    try withSession { session in
      try session.rows(DispatchStatement.listChannelRests) { row in
        ChannelRest(
          channel: try row.word(), rests: try row.count(), failures: try row.count(),
          error: try row.errorCode(), until: try row.timestamp())
      }
    }
  }

  public func record(
    _ rest: ChannelRest?, of channel: PlannedNotification.Channel, at now: Timestamp
  ) throws {
    _ = try withTransaction(on: "channel_rests") { session in
      if let rest {
        try session.execute(
          DispatchStatement.putChannelRest, channel.rawValue, rest.rests, rest.failures,
          rest.error.text, rest.until, now)
      } else {
        try session.execute(DispatchStatement.endChannelRest, channel.rawValue)
      }
    }
  }

  public func deadLetters(since start: Timestamp) throws -> [DeadLetters] {
    try withSession { session in
      try session.rows(DispatchStatement.countDeadLetters, start) { row in
        DeadLetters(channel: try row.word(), error: try row.errorCode(), count: try row.int())
      }
    }
  }

  public func newestRunStart() throws -> Timestamp? {
    try withSession { session in
      try session.rows(DispatchStatement.findNewestRun) { try $0.timestamp() }.first
    }
  }
}

extension RowReader {
  fileprivate mutating func errorCode() throws -> DeliveryErrorCode {
    guard let code = DeliveryErrorCode(checked: try text()) else {
      throw refusal(expected: "a code of letters, digits and _")
    }
    return code
  }
}
