/// What a batch has put into its queue.
public struct BatchWriteResult: Sendable {
  /// Notifications to be sent that entered the shadow queue, those that were there already left out; or
  /// those that are held for the live queue, with those that gave way to them.
  public var enqueued: Int

  public init(enqueued: Int) {
    self.enqueued = enqueued
  }
}
