import CCurl

/// The loop of a client's thread, which owns libcurl's handles and shares them with nothing.
final class TransferLoop {
  private let inbox: TransferInbox
  private let limits: TransferLimits
  private let multi: UnsafeMutableRawPointer?
  private var running: [UnsafeMutableRawPointer: RunningTransfer] = [:]
  /// Handles without a transfer: a new one costs more than most transfers.
  private var idle: [UnsafeMutableRawPointer] = []

  /// libcurl asks for one call before any other, which no other thread may overlap.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(_ inbox: TransferInbox, _ limits: TransferLimits) {
    self.inbox = inbox
    self.limits = limits
    multi = Self.isReady ? curl_multi_init() : nil
  }

  /// Carries transfers until the client is closed.
  func run() {
    if let multi {
      inbox.begin(multi)
      turn(multi)
    }
    for transfer in inbox.leave() {
      transfer.end(TransferEnding(failure: .other, hasBegun: false))
    }
    for handle in idle { curl_easy_cleanup(handle) }
    if let multi { curl_multi_cleanup(multi) }
    inbox.end()
  }

  private func turn(_ multi: UnsafeMutableRawPointer) {
    while true {
      let (pending, isClosed) = inbox.take()
      for transfer in pending { begin(transfer, on: multi) }
      if isClosed { break }
      var count: Int32 = 0
      if curl_multi_perform(multi, &count) != CURLM_OK { break }
      endFinished(multi)
      endLateBodies(multi)
      if curl_multi_poll(multi, nil, 0, patience, nil) != CURLM_OK { break }
    }
    for handle in Array(running.keys) { end(handle, CURLE_ABORTED_BY_CALLBACK, on: multi) }
  }

  /// The milliseconds that nothing can happen in by itself; libcurl knows its own times.
  private var patience: Int32 {
    let deadlines = running.values.compactMap(\.answer.bodyDeadline)
    guard let first = deadlines.min() else { return 10_000 }
    return Int32(clamping: max(0, Int((first - .now) / .milliseconds(1))) + 1).clamped(to: 10_000)
  }

  private func begin(_ pending: PendingTransfer, on multi: UnsafeMutableRawPointer) {
    guard let handle = idle.popLast() ?? curl_easy_init() else {
      pending.end(TransferEnding(failure: .other, hasBegun: false))
      return
    }
    let transfer = RunningTransfer(pending, limits)
    guard let failure = transfer.prepare(handle) else {
      running[handle] = transfer
      if curl_multi_add_handle(multi, handle) != CURLM_OK {
        end(handle, CURLE_FAILED_INIT, on: multi)
      }
      return
    }
    giveBack(handle)
    pending.end(TransferEnding(failure: failure, hasBegun: false))
  }

  private func endFinished(_ multi: UnsafeMutableRawPointer) {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left)?.pointee {
      guard message.msg == CURLMSG_DONE, let handle = message.easy_handle else { continue }
      end(handle, message.data.result, on: multi)
    }
  }

  private func endLateBodies(_ multi: UnsafeMutableRawPointer) {
    let now = ContinuousClock.now
    for (handle, transfer) in running where transfer.answer.bodyDeadline.map({ $0 <= now }) == true
    {
      end(handle, CURLE_ABORTED_BY_CALLBACK, on: multi)
    }
  }

  private func end(
    _ handle: UnsafeMutableRawPointer, _ code: CURLcode, on multi: UnsafeMutableRawPointer
  ) {
    guard let transfer = running.removeValue(forKey: handle) else { return }
    let ending = transfer.ending(code, of: handle)
    curl_multi_remove_handle(multi, handle)
    giveBack(handle)
    transfer.pending.end(ending)
  }

  /// Forgets the transfer and its addresses; connections belong to the multi handle.
  private func giveBack(_ handle: UnsafeMutableRawPointer) {
    curl_easy_reset(handle)
    idle.append(handle)
  }
}

extension Int32 {
  fileprivate func clamped(to most: Int32) -> Int32 { Swift.min(self, most) }
}
