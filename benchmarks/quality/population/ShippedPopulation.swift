/// The description of the population that simulated people are drawn from, byte for byte as it lies beside
/// this source.
public enum ShippedPopulation {
  public static var json: [UInt8] { Array(PackageResources.population_json.utf8) }
}
