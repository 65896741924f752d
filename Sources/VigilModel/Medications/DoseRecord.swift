/// The columns of a row of `dose_history` that adherence needs.
public struct DoseRecord: Hashable, Sendable {
  public var id: UUID
  public var medication: UUID
  public var schedule: UUID?
  public var status: Status
  public var scheduledTime: Timestamp?
  public var actualTime: Timestamp?
  public var recordedZone: ZoneID
  public var createdAt: Timestamp

  public init(
    id: UUID, medication: UUID, schedule: UUID?, status: Status, scheduledTime: Timestamp?,
    actualTime: Timestamp?, recordedZone: ZoneID, createdAt: Timestamp
  ) {
    self.id = id
    self.medication = medication
    self.schedule = schedule
    self.status = status
    self.scheduledTime = scheduledTime
    self.actualTime = actualTime
    self.recordedZone = recordedZone
    self.createdAt = createdAt
  }

  /// Values of the column `status`.
  public enum Status: String, Sendable, Codable, CaseIterable, BitwiseCopyable {
    /// The person has recorded the intake.
    case taken
    /// The person has recorded that they left it out.
    case skipped
    /// The app has recorded that nothing was recorded in time.
    case missed
    /// The dose was not to be taken: it is neither expected nor missed.
    case plannedSkip
  }
}
