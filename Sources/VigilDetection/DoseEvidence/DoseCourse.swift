import CMath
import VigilModel

/// The course of an episode of missed doses: each observation is judged against the anchor of the day that opened
/// it (specification, evidence-doses.md section 5).
struct DoseCourse {
  private let recovery: DoseEvidenceSettings.Recovery
  private let finding: DoseFinding
  private let anchor: DoseAnchor
  /// Half of the way from the usual share of missed doses to that of the episode.
  private let halfway: Double
  /// The evidence of a missed dose and of a taken one for the usual share, in nats.
  private let ofMissed, ofTaken: Double
  /// Evidence for recovery, in nats.
  private(set) var evidence = 0.0
  /// Observations in a row of easing.
  private(set) var calmDays = 0
  /// Whether the newest doses are closer to what is usual than to the episode.
  private(set) var isEasing = false
  /// The newest observations, in their order.
  private var recent: [DoseSeries.Observation]

  /// - Parameters:
  ///   - last: The place of the opening day, or of the last observation before it.
  ///   - series: All observations, also those of earlier episodes.
  init(
    of opening: DoseEvidence, endingAt last: Int, of series: DoseSeries, by judge: DoseJudge
  ) {
    recovery = judge.settings.recovery
    finding = judge.finding
    anchor = opening.anchor
    let (usual, level) = (anchor.share, opening.heldLevel)
    halfway = (usual + level) / 2
    ofMissed = log(usual / level)
    ofTaken = log((1 - usual) / (1 - level))
    recent = Array(series.observations[max(0, last + 1 - recovery.recentDays)..<last + 1])
  }

  /// Whether the change is over: once it is easing and has proven to, or with the first dose that is taken.
  var isOver: Bool {
    guard isEasing else { return false }
    return switch finding {
    case .fewer:
      evidence >= recovery.evidence - DoseJudge.tolerance || calmDays >= recovery.calmDays
    case .stop: true
    }
  }

  /// Takes the next observation.
  mutating func take(_ observation: DoseSeries.Observation) {
    let weight = anchor.weight(ofDoses: observation.expected)
    let taken = observation.expected - observation.missed
    if finding == .stop {
      isEasing = taken > 0
      return
    }
    let added =
      weight * Double(observation.missed) * ofMissed + weight * Double(taken) * ofTaken
    evidence = max(0, evidence + added / anchor.spread)
    if recent.count == recovery.recentDays { recent.removeFirst() }
    recent.append(observation)
    var (missed, expected) = (0, 0)
    for day in recent {
      missed += day.missed
      expected += day.expected
    }
    isEasing = Double(missed) / Double(expected) < halfway - DoseJudge.tolerance
    calmDays = isEasing ? calmDays + 1 : 0
  }
}
