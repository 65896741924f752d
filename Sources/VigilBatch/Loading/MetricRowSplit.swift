import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage
import VigilVitality

/// Gives every metric row to the observations of each profile and to the values that scores are computed
/// from, so that the rows are read once.
final class MetricRowSplit: MetricRowSink {
  /// The columns to read: those of the database's profile, then those that only the candidate needs, then those
  /// that only scores need.
  let columns: [MetricType]

  private let own: ObservationBuilder
  private let ownCount: Int
  private let ownOthers: OtherMeasurements
  private let candidate: ObservationBuilder?
  private let candidateOthers: OtherMeasurements
  private let candidateDays: ClosedRange<Day>
  private let candidateValues: GatheredValues
  private let vitality: ObservationBlock?
  private let vitalityValues: GatheredValues

  /// - Parameters:
  ///   - own: Its columns lead.
  ///   - candidate: Gets rows of the days of its block; nil where there is none.
  ///   - vitality: The block of the metrics of scores; nil where none are computed.
  ///   - isAvailable: Whether the table has a metric; others are missing on all days.
  init(
    _ own: ProfileSeries, candidate: ProfileSeries?, vitality: ObservationBlock?,
    isAvailable: (MetricType) -> Bool
  ) {
    self.own = own.input.observations
    self.candidate = candidate?.input.observations
    self.vitality = vitality
    var columns = own.input.observations.columns
    ownCount = columns.count
    let ofCandidate = candidate?.input.observations.columns ?? []
    let ofScores = vitality == nil ? [] : VitalityMetric.columns
    for metric in ofCandidate + ofScores.filter(isAvailable) where !columns.contains(metric) {
      columns.append(metric)
    }
    self.columns = columns
    ownOthers = OtherMeasurements(beside: own.input.observations.columns, among: columns)
    candidateOthers = OtherMeasurements(beside: ofCandidate, among: columns)
    candidateDays = (candidate ?? own).input.block.days
    candidateValues = GatheredValues(ofCandidate, among: columns)
    vitalityValues = GatheredValues(ofScores, among: columns)
  }

  /// Builders that are asked for the same names in the same order number them alike.
  func index(ofSource name: String) -> Int {
    let index = own.index(ofSource: name)
    let other = candidate?.index(ofSource: name)
    assert(other == nil || other == index)
    return index
  }

  var wantsCreation: Bool { own.wantsCreation || candidate?.wantsCreation ?? false }

  func noteCreation(at instant: Timestamp?) {
    own.noteCreation(at: instant)
    candidate?.noteCreation(at: instant)
  }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    own.append(
      person: person, day: day, source: source,
      values: UnsafeBufferPointer(rebasing: values[..<ownCount]),
      isOtherPositive: isOtherPositive || ownOthers.isAnyPositive(in: values),
      updatedAt: updatedAt)
    if let candidate, candidateDays.contains(day) {
      candidate.append(
        person: person, day: day, source: source, values: candidateValues.gather(values),
        isOtherPositive: isOtherPositive || candidateOthers.isAnyPositive(in: values),
        updatedAt: nil)
    }
    if let vitality, vitality.days.contains(day) {
      vitality.keepLargest(person: person, day: day, values: vitalityValues.gather(values))
    }
  }
}
