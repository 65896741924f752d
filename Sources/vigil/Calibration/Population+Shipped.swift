import Foundation
import ShippedPopulation
import VigilDetection
import VigilLaboratory
import VigilModel

extension Population {
  /// The population that is built into the executable.
  static func shipped() throws -> Population {
    try JSONDecoder().decode(Population.self, from: Data(ShippedPopulation.json))
  }

  /// SHA-256 of the population as JSON with sorted keys, in lower-case hexadecimal.
  func digest() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return SHA256.hexadecimal(of: try encoder.encode(self))
  }
}
