import Foundation
public import VigilLaboratory

extension Population {
  /// The population that is built in: the people of `population.json`, which lies beside this source.
  public static func shipped() throws -> Population {
    try JSONDecoder().decode(Population.self, from: Data(PackageResources.population_json.utf8))
  }
}
