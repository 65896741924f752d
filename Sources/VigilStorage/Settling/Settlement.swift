public import Foundation
public import VigilModel

/// The part of a batch that deals with evaluations of single persons: those that came before it, and itself.
public struct Settlement: Sendable {
  /// The persons of the batch.
  public var persons: [UUID]
  /// The profile whose alerts the batch writes.
  public var profile: Profile
  /// The provisional alerts that the batch was evaluated with.
  public var provisional: [ProvisionalAlert]
  /// The evaluation of one person that the batch is; nil for a batch of a run, which settles all before it.
  public var evaluation: PersonEvaluation?

  public init(
    persons: [UUID], profile: Profile, provisional: [ProvisionalAlert],
    evaluation: PersonEvaluation? = nil
  ) {
    self.persons = persons
    self.profile = profile
    self.provisional = provisional
    self.evaluation = evaluation
  }
}

/// The evaluation of one person outside of a night, as it is to be written.
public struct PersonEvaluation: Sendable {
  public var person: UUID
  /// The record that counts evaluations like this one; its counts are those of this one alone.
  public var record: RunRecord
  /// All alerts of the person before the evaluation: what another writer changes meanwhile makes it void.
  public var alertsBefore: [PatternAlertState]
  /// Stored rows from which the evaluation went on, by their ids.
  public var bases: [UUID: PatternAlertState]
  /// The most persons about whom evaluations of the record may notify.
  public var rateLimit: NotificationRateLimit
  /// Its number among those of the record, from 1; the database gives it.
  package var number = 1

  public init(
    person: UUID, record: RunRecord, alertsBefore: [PatternAlertState],
    bases: [UUID: PatternAlertState], rateLimit: NotificationRateLimit
  ) {
    self.person = person
    self.record = record
    self.alertsBefore = alertsBefore
    self.bases = bases
    self.rateLimit = rateLimit
  }
}
