import ArgumentParser
import VigilStorage

extension RunShard {
  /// Reads the value of an option.
  static func argument(_ text: String) throws -> RunShard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      let shard = RunShard(index, of: count)
    {
      return shard
    }
    throw ValidationError(
      "--shard '\(text)' is no part; give i/n with i from 1 to n, and n up to"
        + " \(RunShard.mostShards), such as 2/4")
  }
}
