/// The rows that a batch has put into its queue.
public struct BatchWriteResult: Sendable {
  /// Notifications to be sent that entered the shadow queue, without those that were there already;
  /// or those that are held for the live queue, with the ones that they replaced.
  public var enqueued: Int

  public init(enqueued: Int) {
    self.enqueued = enqueued
  }
}
