import CCurl
import Foundation
import Synchronization

/// A client for small exchanges over HTTP and SMTP, all of which one thread of libcurl carries.
///
/// It keeps connections for later transfers and lets those that may share one be streams of it (HTTP/2). It follows no
/// redirection, asks no proxy, verifies certificates, takes TLS 1.2 or later, and sends no request a second time by
/// itself: a kept connection that ends without an answer is `TransferFailure.closed`.
///
/// ```swift
/// let client = TransferClient()
/// let ending = await client.perform(transfer)
/// await client.close()
/// ```
public final class TransferClient: Sendable {
  private let inbox: TransferInbox

  /// - Parameters:
  ///   - connectTimeout: For a connection with its TLS.
  ///   - bodyTimeout: For the body of an HTTP answer, once its head has come: a server may never end it.
  public init(connectTimeout: Duration = .seconds(10), bodyTimeout: Duration = .seconds(2)) {
    inbox = TransferInbox()
    let limits = TransferLimits(connect: connectTimeout, body: bodyTimeout)
    Thread.detachNewThread { [inbox] in
      // A connection that breaks while it is written to is an error of the call, not a signal.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      TransferLoop(inbox, limits).run()
    }
  }

  deinit { inbox.close() }

  /// Carries out a transfer; returns when it has ended or its time is up.
  public func perform(_ transfer: Transfer) async -> TransferEnding {
    await withCheckedContinuation { continuation in
      begin(transfer) { continuation.resume(returning: $0) }
    }
  }

  /// Begins a transfer and returns at once.
  ///
  /// - Parameter end: Called once, on the thread that carries all transfers.
  public func begin(_ transfer: Transfer, _ end: @escaping @Sendable (TransferEnding) -> Void) {
    inbox.put(PendingTransfer(transfer: transfer, end: end))
  }

  /// Ends the transfers that are going on, and closes all connections.
  ///
  /// It waits 5 seconds at most: a mail server may never answer a farewell.
  public func close() async {
    inbox.close()
    let deadline = ContinuousClock.now + .seconds(5)
    while !inbox.hasEnded, .now < deadline { try? await Task.sleep(for: .milliseconds(1)) }
  }
}

/// The times that a client allows.
struct TransferLimits: Sendable {
  var connect: Duration
  var body: Duration
}

/// A transfer and what gets its ending, which is called once.
struct PendingTransfer: Sendable {
  var transfer: Transfer
  var end: @Sendable (TransferEnding) -> Void
}

/// The transfers that wait for the thread, and what wakes it.
final class TransferInbox: Sendable {
  private struct State {
    var pending: [PendingTransfer] = []
    var isClosed = false
    var hasEnded = false
    /// The handle of the thread's loop while it can be woken.
    nonisolated(unsafe) var multi: UnsafeMutableRawPointer?
  }

  private let state = Mutex(State())

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Takes a transfer in; ends it at once where the client is closed.
  func put(_ transfer: PendingTransfer) {
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return false }
      state.pending.append(transfer)
      if let multi = state.multi { curl_multi_wakeup(multi) }
      return true
    }
    if !isTaken { transfer.end(TransferEnding(failure: .other, hasBegun: false)) }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      if let multi = state.multi { curl_multi_wakeup(multi) }
    }
  }

  /// Lets the loop be woken.
  func begin(_ multi: UnsafeMutableRawPointer) {
    nonisolated(unsafe) let multi = multi
    state.withLock { $0.multi = multi }
  }

  /// The transfers that have come since the last call, and whether the loop is to end.
  func take() -> (pending: [PendingTransfer], isClosed: Bool) {
    state.withLock { state in
      defer { state.pending.removeAll(keepingCapacity: true) }
      return (state.pending, state.isClosed)
    }
  }

  /// Lets nothing more in, so that the handle can go, and returns what has come meanwhile.
  func leave() -> [PendingTransfer] {
    state.withLock { state in
      state.multi = nil
      state.isClosed = true
      defer { state.pending = [] }
      return state.pending
    }
  }

  func end() { state.withLock { $0.hasEnded = true } }
}
