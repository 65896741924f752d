import Foundation
public import VigilModel
import VigilStorage

/// Delivers push messages to the devices of a recipient, each by the service of its platform.
///
/// A notification is delivered where one device at least has it: a further attempt would reach the others, but
/// disturb the first again. Devices that a service does not know any more are named in the answer.
public struct PushProvider: DeliveryProvider {
  private let apns: APNsService?
  private let fcm: FCMService?
  private let timeout: Duration
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - apns: Nil where devices of Apple are not served.
  ///   - fcm: Nil where devices of Google's service are not served.
  ///   - timeout: For all devices of a recipient.
  ///   - now: The clock.
  public init(
    apns: APNsService?, fcm: FCMService?, timeout: Duration,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.apns = apns
    self.fcm = fcm
    self.timeout = timeout
    self.now = now
  }

  public func deliver(_ delivery: Delivery) async -> DeliveryAnswer {
    guard let message = delivery.message else {
      return DeliveryAnswer(.refused(DeliveryErrorCode("no_message")))
    }
    let deadline = ContinuousClock.now + timeout
    let answers = await withTaskGroup(of: DeliveryAnswer?.self) { group in
      for address in delivery.addresses {
        group.addTask {
          let push = PushMessage(row: delivery.row, message: message, token: address.address)
          var answer: DeliveryAnswer?
          switch address.platform {
          case "apns": answer = await apns?.send(push, until: deadline, at: now())
          case "fcm": answer = await fcm?.send(push, until: deadline, at: now())
          default: return nil
          }
          if let platform = address.platform, let state = answer?.deviceState {
            answer?.devices = [DeviceReport(platform, address.address, state)]
          }
          return answer
        }
      }
      return await group.reduce(into: [DeliveryAnswer]()) { answers, answer in
        if let answer { answers.append(answer) }
      }
    }
    return Self.merged(answers)
  }

  /// One answer for the answers of all devices.
  static func merged(_ answers: [DeliveryAnswer]) -> DeliveryAnswer {
    var merged = DeliveryAnswer(.refused(DeliveryErrorCode("no_address")))
    let failures = answers.compactMap { answer -> (DeliveryErrorCode, Double?)? in
      guard case .failed(let code, let pause) = answer.result else { return nil }
      return (code, pause)
    }
    if answers.contains(where: { $0.result == .delivered }) {
      merged = DeliveryAnswer(.delivered)
    } else if let failure = failures.first {
      merged = DeliveryAnswer(
        .failed(failure.0, after: failures.compactMap(\.1).max()),
        isUncertain: answers.contains(where: \.isUncertain))
    } else if let refusal = answers.first {
      merged = DeliveryAnswer(refusal.result)
    }
    merged.devices = answers.flatMap(\.devices)
    return merged
  }
}

/// A push message to one device.
public struct PushMessage: Sendable {
  var row: ClaimedNotification
  var message: Message
  /// The device, as its service names it.
  var token: String

  var isUrgent: Bool { row.priority == .critical || row.priority == .high }

  /// The part for the app: it finds the rest by the id.
  var data: [String: String] {
    [
      "id": row.id.lowercased, "notification_type": row.type, "template_id": row.templateID,
    ]
  }
}

extension DeliveryAnswer {
  /// Codes of devices that a service does not know any more.
  private static let gone: Set<DeliveryErrorCode> = [.apnsUnregistered, .fcmUnregistered]

  /// Codes of devices that a service knows under another app or environment, or not at all.
  private static let refused: Set<DeliveryErrorCode> = [
    DeliveryErrorCode("apns_bad_device_token"),
    DeliveryErrorCode("apns_device_token_not_for_topic"),
    DeliveryErrorCode("fcm_invalid_argument"), DeliveryErrorCode("fcm_not_found"),
    DeliveryErrorCode("fcm_sender_id_mismatch"),
  ]

  /// The state of its device after the answer of a service; nil where the answer is about something else.
  fileprivate var deviceState: DeviceReport.State? {
    switch result {
    case .delivered: .reached
    case .refused(let code) where Self.gone.contains(code): .gone
    case .refused(let code) where Self.refused.contains(code): .refused
    case .failed, .notStarted, .refused: nil
    }
  }
}

extension DeliveryErrorCode {
  static let apnsUnregistered = DeliveryErrorCode("apns_unregistered")
  static let fcmUnregistered = DeliveryErrorCode("fcm_unregistered")
}
