import Foundation

/// The texts of a page of `vigil report`, taken apart without its code.
struct PageTexts {
  let html: String

  /// The section of each person, by the name that the page gives them.
  var persons: [String: PageTexts] {
    let found = html.matches(of: /<article [^>]*>\n<h2 [^>]*>([^<]*)<\/h2>(?s:.*?)<\/article>/)
    return Dictionary(
      found.map { (String($0.1), PageTexts(html: String($0.0))) }, uniquingKeysWith: { $1 })
  }

  /// The descriptions of the drawings whose id begins so.
  func descriptions(of id: String) -> [String] {
    html.matches(of: /<desc id="([a-z]+)-[^"]*-d">([^<]*)<\/desc>/)
      .filter { $0.1 == id }.map { Self.unescaped(String($0.2)) }
  }

  /// The sentences beside the charts.
  var sentences: [String] {
    html.matches(of: /<h3>[^<]*<\/h3><p>([^<]*)<\/p>/).map { Self.unescaped(String($0.1)) }
  }

  /// The rows of the tables whose first column is `title`: by name the other cells.
  func rows(under title: String) -> [String: [String]] {
    var rows: [String: [String]] = [:]
    for table in html.matches(of: /<table[^>]*>(?s:.*?)<\/table>/)
    where table.0.contains("<th scope=\"col\">\(title)</th>") {
      for row in table.0.matches(of: /<th scope="row">([^<]*)<\/th>((?:<td>[^<]*<\/td>)*)/) {
        rows[Self.unescaped(String(row.1))] = row.2.matches(of: /<td>([^<]*)<\/td>/)
          .map { Self.unescaped(String($0.1)) }
      }
    }
    return rows
  }

  /// The values of the list of names.
  var pairs: [String: String] {
    Dictionary(
      html.matches(of: /<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/)
        .map { (String($0.1), Self.unescaped(String($0.2))) }, uniquingKeysWith: { $1 })
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}
