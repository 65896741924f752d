import VigilDispatch
import VigilModel
import VigilReport
import VigilStorage

extension DispatchReport {
  /// The numbers of a sender on the channels of its file.
  init(
    _ tallies: [PlannedNotification.Channel: DispatchTally], of file: ProvidersFile
  ) {
    self.init(
      channels: file.channels.map { channel in
        let tally = tallies[channel.settings.channel] ?? DispatchTally()
        return Channel(
          channel: channel.settings.channel, sent: tally.sent, retried: tally.retried,
          failed: tally.failed, uncertain: tally.uncertain,
          cancelled: tally.cancelled.byWord, postponed: tally.postponed.byWord)
      }, cancelledInApp: tallies[.inApp]?.cancelled.byWord ?? [:])
  }
}

extension [PlannedNotification.StatusReason: Int] {
  fileprivate var byWord: [String: Int] {
    Dictionary<String, Int>(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
