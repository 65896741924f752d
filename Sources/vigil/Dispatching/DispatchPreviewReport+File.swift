import VigilDispatch
import VigilModel
import VigilReport
import VigilStorage

extension DispatchPreviewReport {
  /// The decisions about due rows, with the providers of the file.
  init(_ previews: [DispatchPreview], of file: ProvidersFile) {
    self.init(
      channels: previews.map { preview in
        let provider = file.channels.first { $0.settings.channel == preview.channel }?.provider
        return Channel(
          channel: preview.channel, provider: provider?.name ?? "",
          notifications: preview.rows.map { row in
            switch row.decision {
            case .send: Notification(id: row.id, decision: .send)
            case .wait(let time, let reason):
              Notification(id: row.id, decision: .wait, reason: reason?.rawValue, until: time)
            case .cancel(let reason):
              Notification(id: row.id, decision: .cancel, reason: reason.rawValue)
            case .fail(let code): Notification(id: row.id, decision: .fail, reason: code.text)
            }
          })
      })
  }
}
