import Dispatch
import Foundation
import Logging
import Synchronization
import VigilTransfers

/// Lets a monitor of scheduled jobs hear of a command: `URL/start` when it begins, `URL` when it is done or still
/// alive, `URL/fail` when it fails.
///
/// Healthchecks and what speaks like it take these requests. A monitor that does not answer changes nothing but for a
/// warning: it misses the command by itself.
final class Monitor: Sendable {
  private struct Watched {
    var url: MonitorURL
    var logger: Logger
    var client = TransferClient()
    var lastSign = ContinuousClock.now
  }

  private let watched = Mutex<Watched?>(nil)
  /// The requests that are under way.
  private let requests = DispatchGroup()
  private static let timeout = Duration.seconds(10)
  /// Of a sender that goes on.
  private static let betweenSigns = Duration.seconds(60)

  /// Says that the command begins; nothing where no URL is set.
  func begin(_ context: CommandContext) {
    guard context.settings.monitorURL.text != nil else { return }
    watched.withLock {
      $0 = Watched(url: context.settings.monitorURL, logger: context.logger)
    }
    send("/start")
  }

  /// Says that a sender is alive, once in a minute at most.
  func live() {
    let isDue = watched.withLock { watched in
      guard let last = watched?.lastSign, .now - last >= Self.betweenSigns else { return false }
      watched?.lastSign = .now
      return true
    }
    if isDue { send("") }
  }

  /// Says how the command has ended, and waits until the monitor has heard it.
  func end(_ status: ExitStatus) {
    guard watched.withLock({ $0 != nil }) else { return }
    // A beginning must not arrive behind its end.
    wait()
    send(status == .success ? "" : "/fail")
    wait()
    watched.withLock { $0 = nil }
  }

  private func wait() { _ = requests.wait(timeout: .now() + .seconds(11)) }

  private func send(_ ending: String) {
    guard let watched = watched.withLock({ $0 }), let url = watched.url.text else { return }
    requests.enter()
    watched.client.begin(
      Transfer(
        url: url + ending, body: Data(), kind: .http(.get, headers: []), timeout: Self.timeout)
    ) { [requests] answer in
      if !(200..<300).contains(answer.status ?? 0) {
        watched.logger.warning(
          "The monitor was not reached, or did not take what it was sent",
          metadata: ["status": "\(answer.status.map { "\($0)" } ?? "none")"])
      }
      requests.leave()
    }
  }
}

/// The address of a monitor, which is a secret: who knows it can speak for the command.
struct MonitorURL: Sendable {
  /// Without a slash at its end; nil for none.
  let text: String?

  init?(_ text: String) {
    guard text != "none" else {
      self.text = nil
      return
    }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil,
      url.query == nil, url.fragment == nil
    else { return nil }
    self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
