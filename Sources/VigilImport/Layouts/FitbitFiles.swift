import Foundation
import VigilModel

/// The monthly JSON files of a Fitbit account.
///
/// Several archives of one account may be among them, and copies as a browser names them: an entry of a time that an
/// earlier one had counts once, with the larger value, because a later archive knows more of a minute.
///
/// - `steps-*.json` are added up by the date in the file; Fitbit documents no time zone for it.
/// - `movement_minutes` is the sum of `moderately_active_minutes-*.json` and `very_active_minutes-*.json`,
///   missing where either is. Fitbit fills these files with 0 to the end of their month; those after the newest entry of
///   another value say nothing.
/// - `resting_heart_rate-*.json`: 0 means that there is none.
/// - `worn_minutes` is the sum of the zones of `time_in_heart_rate_zones-*.json`, the minutes with a heart rate; 0
///   says nothing, as there are trackers that measure none.
/// - `sleep-*.json`: logs of one date are added up; one that is there twice, by its `logId`, counts once.
enum FitbitFiles {
  enum Kind: String, CaseIterable {
    case steps = "steps-"
    case moderate = "moderately_active_minutes-"
    case vigorous = "very_active_minutes-"
    case restingHeartRate = "resting_heart_rate-"
    case heartRateZones = "time_in_heart_rate_zones-"
    case sleep = "sleep-"
  }

  /// The metrics of each day that the files have.
  ///
  /// - Throws: `ImportError` where a file cannot be read, or the import is to stop.
  static func days(
    of files: [InputFile], reading: ArchiveReading, didRead: @escaping (_ bytes: Int) -> Void
  ) throws -> [(day: Day, values: [MetricType: Double])] {
    var days = FitbitDays(parser: reading.parser)
    for file in files {
      let name = fileName(file.path)
      guard let kind = Kind.allCases.first(where: { name.lowercased().hasPrefix($0.rawValue) })
      else { continue }
      let data = try file.contents(didRead: didRead)
      guard let entries = (try? JSONSerialization.jsonObject(with: data)) as? [[String: Any]] else {
        throw ImportError(
          .badData,
          "\(name) is not in the layout of Fitbit's export, a JSON list of objects; nothing was imported;"
            + " copy it again")
      }
      for (index, entry) in entries.enumerated() {
        try reading.willRead()
        do throws(RowProblem) {
          try days.add(entry, of: kind)
        } catch {
          reading.reject(error, file: name, line: index + 1)
        }
      }
    }
    return days.metrics()
  }
}
