extension ArrowColumn {
  /// The values of the column in words, such as `texts`, for readers who do not know Arrow's format strings.
  var typeWords: String {
    let format = format.utf8
    guard let first = format.first else { return "values without a type" }
    let second = format.dropFirst().first ?? 0
    switch first {
    case UInt8(ascii: "n"): return "nothing"
    case UInt8(ascii: "b"): return "true and false"
    case _ where "cCsSiIlL".utf8.contains(first): return "whole numbers"
    case _ where "efg".utf8.contains(first): return "numbers"
    case UInt8(ascii: "d"): return "decimal numbers"
    case UInt8(ascii: "u"), UInt8(ascii: "U"): return "texts"
    case UInt8(ascii: "z"), UInt8(ascii: "Z"), UInt8(ascii: "w"): return "bytes"
    case UInt8(ascii: "v"): return second == UInt8(ascii: "u") ? "texts" : "bytes"
    case UInt8(ascii: "t"):
      return switch second {
      case UInt8(ascii: "d"): "dates"
      case UInt8(ascii: "s"): "timestamps"
      case UInt8(ascii: "t"): "times of day"
      default: "durations"
      }
    case UInt8(ascii: "+"):
      return switch second {
      case UInt8(ascii: "s"): "structs"
      case UInt8(ascii: "m"): "maps"
      case UInt8(ascii: "u"): "unions"
      case UInt8(ascii: "r"): "runs"
      default: "lists"
      }
    default: return "values of an unknown type"
    }
  }
}
