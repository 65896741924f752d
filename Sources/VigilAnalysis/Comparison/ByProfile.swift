/// The same quantity under two profiles.
public struct ByProfile<Value> {
  public var first: Value
  public var second: Value

  public init(first: Value, second: Value) {
    self.first = first
    self.second = second
  }

  /// The result of `transform` for each of them.
  public func map<Result>(_ transform: (Value) -> Result) -> ByProfile<Result> {
    ByProfile<Result>(first: transform(first), second: transform(second))
  }
}

extension ByProfile: Equatable where Value: Equatable {}
extension ByProfile: Hashable where Value: Hashable {}
extension ByProfile: Sendable where Value: Sendable {}
