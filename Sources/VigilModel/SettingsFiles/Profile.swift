/// One particular settings file: a thresholds file, or a file of vitality settings.
///
/// ```swift
/// let profile = Profile(version: "v2", digest: "0123456789abcdef0123")
/// print(profile.id)  // v2@0123456789ab
/// ```
///
/// Two files of one version that differ in a single byte are two profiles.
public struct Profile: Hashable, Sendable {
  /// The version that the file states, such as `v1`.
  public var version: String
  /// SHA-256 of the file's bytes, in lower-case hexadecimal.
  public var digest: String

  public init(version: String, digest: String) {
    self.version = version
    self.digest = digest
  }

  /// Version and beginning of the digest, such as `v1@3f2a9c0d1e2b`; identifies the profile in
  /// keys, ids and messages.
  public var id: String { "\(version)@\(digest.prefix(12))" }
}
