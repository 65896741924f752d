/// The style of every drawing: light, dark and print, by custom properties.
public enum ChartStyle {
  /// The custom properties of the colours; a page may use them too.
  public static let colours = PackageResources.colours_css

  /// The rules of the drawings; they need `colours`.
  public static let rules = PackageResources.rules_css

  /// Colours and rules.
  public static let css = colours + rules
}
