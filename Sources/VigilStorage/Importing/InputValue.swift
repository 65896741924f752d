public import Foundation
public import VigilModel

/// A value on its way into an input table.
public enum InputValue: Sendable, Hashable {
  case null
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case uuid(UUID)
  case day(Day)
  case timestamp(Timestamp)
}
