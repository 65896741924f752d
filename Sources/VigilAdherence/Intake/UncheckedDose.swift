public import VigilModel

/// A row of `dose_history` before it is checked.
///
/// Its bytes are good during the call only that it is an argument of: no text is copied of the millions of
/// rows that a run reads.
public struct UncheckedDose {
  public var id: UUID
  public var medication: UUID
  public var schedule: UUID?
  /// The bytes of `status`.
  public var status: UnsafeRawBufferPointer
  public var scheduledTime: Timestamp?
  public var actualTime: Timestamp?
  /// The bytes of `recorded_timezone`.
  public var zone: UnsafeRawBufferPointer
  public var createdAt: Timestamp?

  public init(
    id: UUID, medication: UUID, schedule: UUID?, status: UnsafeRawBufferPointer,
    scheduledTime: Timestamp?, actualTime: Timestamp?, zone: UnsafeRawBufferPointer,
    createdAt: Timestamp?
  ) {
    self.id = id
    self.medication = medication
    self.schedule = schedule
    self.status = status
    self.scheduledTime = scheduledTime
    self.actualTime = actualTime
    self.zone = zone
    self.createdAt = createdAt
  }

  /// The table that its rows come from.
  public static let table = "dose_history"
}
