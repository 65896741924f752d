import ArgumentParser
import Foundation
import VigilStorage

extension RunShard {
  /// The variable in which a pod of an indexed Job of Kubernetes finds its number, from 0.
  static let indexOfJob = "JOB_COMPLETION_INDEX"

  /// Reads the value of an option: `2/4`, or `JOB_COMPLETION_INDEX/4` in a pod of an indexed Job.
  static func argument(
    _ text: String, environment: [String: String] = CommandSurroundings.current.environment
  ) throws -> RunShard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let count = Int(parts[1]), (1...mostShards).contains(count) {
      if parts[0] == indexOfJob {
        return try ofJob(environment[indexOfJob], of: count, option: text)
      }
      if let shard = Int(parts[0]).flatMap({ RunShard($0, of: count) }) { return shard }
    }
    throw ValidationError(
      "--shard '\(text)' is no part; give i/n with i from 1 to n, and n up to \(mostShards), such as"
        + " 2/4; or \(indexOfJob)/n in a pod of an indexed Job")
  }

  private static func ofJob(_ index: String?, of count: Int, option: String) throws -> RunShard {
    guard let index else {
      throw ValidationError(
        "--shard '\(option)' needs \(indexOfJob) in the environment; set completionMode: Indexed in"
          + " the Job, or give a part such as 2/4")
    }
    guard let number = Int(index), (0..<count).contains(number),
      let shard = RunShard(number + 1, of: count)
    else {
      throw ValidationError(
        "\(indexOfJob) is '\(index)', but --shard '\(option)' has the parts 0 to \(count - 1); give the"
          + " Job \(count) completions")
    }
    return shard
  }
}
