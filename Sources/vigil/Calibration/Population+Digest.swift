import Foundation
import VigilDetection
import VigilLaboratory
import VigilModel

extension Population {
  /// SHA-256 of the population as JSON with sorted keys, in lower-case hexadecimal.
  func digest() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return SHA256.hexadecimal(of: try encoder.encode(self))
  }
}
