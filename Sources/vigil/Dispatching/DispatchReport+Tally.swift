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
      }, isDryRun: false)
  }

  /// The numbers of a dry run.
  init(_ previews: [DispatchPreview]) {
    self.init(
      channels: previews.map { preview in
        var channel = Channel(channel: preview.channel, sent: preview.toSend.count)
        for (_, result) in preview.others {
          switch result {
          case .cancelled(let reason): channel.cancelled[reason.rawValue, default: 0] += 1
          case .postponed(_, let reason):
            channel.postponed[reason?.rawValue ?? "waits", default: 0] += 1
          case .failed: channel.failed += 1
          case .sent, .retry, .released: break
          }
        }
        return channel
      }, isDryRun: true)
  }
}

extension [PlannedNotification.StatusReason: Int] {
  fileprivate var byWord: [String: Int] {
    Dictionary<String, Int>(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
