extension UUID {
  /// The namespace of every id that Vigil derives (specification, cli.md).
  public static let vigilNamespace = UUID(
    uuid: (
      0x6f, 0x0b, 0x7c, 0x1e, 0x6f, 0x5c, 0x5a, 0x53,
      0x9d, 0x1c, 0x5e, 0x0f, 0x4b, 0x7a, 0x9c, 0x21
    ))

  /// The version 5 UUID of `name` within `namespace` (RFC 9562, section 5.5).
  ///
  /// The same name gives the same id on every machine and database, which is what lets shadow, live
  /// and replayed rows be compared one by one.
  public init(name: consuming String, namespace: UUID = .vigilNamespace) {
    self = NameStart("", namespace: namespace).id(endingWith: name)
  }
}
