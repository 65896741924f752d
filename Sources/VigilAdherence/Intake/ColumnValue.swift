/// The value of a column that may be empty, or hold something else than it should.
///
/// A schedule without an end has `.null`; one that ends on `infinity`, which is no day, has `.unreadable`.
public enum ColumnValue<Value: Sendable>: Sendable {
  case null
  case value(Value)
  case unreadable
}

extension ColumnValue: Equatable where Value: Equatable {}
