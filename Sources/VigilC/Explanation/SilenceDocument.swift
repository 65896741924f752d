import VigilAnalysis
import VigilCharts
import VigilDetection
import VigilModel

/// An explanation of silence as the JSON of `vigil_explain`: the figures of `vigil explain --metric inactivity
/// --format json`, by the same keys.
struct SilenceDocument {
  let explanation: SilenceExplanation
  let person: PersonRows
  let profile: Profile
  let sensitivity: PersonalSensitivity

  var text: String {
    var json = JSONText()
    json.object { json in
      let (found, opening, after) = (explanation, explanation.opening, explanation.after)
      json.add("person", person.name)
      json.add("user_id", person.id.lowercased)
      json.add("metric_type", found.series.metric.rawValue)
      json.add("pattern_type", PatternType.silence.rawValue)
      json.add("date", found.day)
      json.add("thresholds_version", profile.version)
      json.add("thresholds_digest", profile.digest)
      json.add("sensitivity", sensitivity[found.series.metric].rawValue)
      json.add("is_alert", found.isActive)
      json.add("change", found.change.name)
      json.add("silent_days", found.count)
      json.add("silent_since", found.count == nil ? nil : found.silentSince)
      json.add("open_after_days", opening.first)
      json.add("watched_days", opening.last)
      json.array("pauses", found.habit?.value.pauses)
      json.add("habit_days", found.habit?.value.days)
      json.add("active_since", after?.activeSince)
      json.add("current_level", after?.level.rawValue)
      json.add("resolved_on", after?.resolution?.day)
      json.add("resolution_reason", after?.resolution?.reason.rawValue)
    }
    return json.text
  }
}

extension SeriesStrip {
  /// The silent days in a row, as `vigil explain` draws them.
  ///
  /// - Parameters:
  ///   - silence: The decision about the last of the days.
  ///   - days: The days to draw.
  init(of silence: SilenceExplanation, on days: ClosedRange<Day>) {
    self.init(
      of: silence, on: days,
      label: String(silence.series.metric.rawValue.map { $0 == "_" ? " " : $0 }), unit: "days")
  }
}
