/// The rows that a batch has put into its queue.
public struct BatchWriteResult: Sendable {
  /// Notifications to be sent that entered the shadow queue, without those that were there already;
  /// or those that are held for the live queue, with the ones that they replaced.
  public var enqueued: Int
  /// Whether nothing was written, because a person of the batch was evaluated since it was read; it is to be read
  /// and evaluated again.
  public var isOvertaken: Bool
  /// Notifications of the evaluation of one person that are left to the night, because the record of such
  /// evaluations has reached its rate limit.
  public var leftToNight: Int

  public init(enqueued: Int, isOvertaken: Bool = false, leftToNight: Int = 0) {
    self.enqueued = enqueued
    self.isOvertaken = isOvertaken
    self.leftToNight = leftToNight
  }
}
