import Foundation

/// The descriptors that this process may still open.
public enum FreeDescriptors {
  /// The number that a command needs while it starts: for pipes, its streams and the handle of the process.
  public static let ofCommand = 8

  /// The number that an exchange over the network needs: for its connection and the resolution of a name.
  public static let ofExchange = 3

  /// The number; 0 where it is not even possible to count them.
  public static var count: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
      return 0
    }
    // One of them was that of the folder.
    return Int(clamping: limit.rlim_cur) - (open.count - 1)
  }
}
