import Foundation
import VigilModel
import VigilStorage

extension ChannelDispatcher {
  enum Event: Sendable {
    case claimed(ClaimedRows)
    case answered(ClaimedNotification, DeliveryAnswer)
    case settled([DispatchOutcome], counted: Set<UUID>)
    case notSettled(any Error, RestChange?)
    case renewed(until: Timestamp)
    case failed(any Error, Activity)
    /// A pause of the provider's rate limit is over.
    case paused
    case ticked
  }

  enum Activity: Sendable {
    case claiming
    case renewing
  }
}

extension Error {
  /// Whether it is a failure of the database that passes without a change of its settings.
  var mayPass: Bool {
    switch (self as? StorageError)?.code {
    case .unreachable, .transient, .diskFull, .locked, .readOnly: true
    default: false
    }
  }
}
