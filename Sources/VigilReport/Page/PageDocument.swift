import Foundation
import VigilCharts
import VigilModel
import VigilStorage

/// The values that the templates of the page name.
struct PageDocument {
  var style: String
  var title: String
  var period: String
  var summary: String
  var isShared: Bool
  var sentences: [Sentence]
  var hasSentences: Bool
  var morePeople: String?
  var legend: [LegendEntry]
  var people: [PersonSection]
  var hasPeople: Bool
  var totals: [Total]
  var hasTotals: Bool
  var totalsNote: String?
  /// Persons without data.
  var silences: [Silence]
  var hasSilences: Bool
  var leftNote: String?
  var run: [Pair]
  var changes: [Change]
  var hasChanges: Bool
  var comparison: Comparison?

  struct Sentence {
    var anchor: String
    var name: String
    var text: String
    var level: Int
    var severity: String
  }

  struct Silence {
    var name: String
    var lastSign: String
    var days: String
    var longestPause: String
  }

  struct LegendEntry {
    var symbol: String
    var words: String
  }

  struct PersonSection {
    var anchor: String
    var name: String
    var text: String
    var strips: [Figure]
    var axis: String?
    var axisNote: String
    var timeline: String?
    var score: String?
    var calendar: String?
    var lanes: String?
    var laneLegend: [LegendEntry]
    var medications: [Medication]
    var hasMedications: Bool
  }

  /// A drawing with its words, before it has a place on the page.
  struct Strip {
    var heading: String
    var note: String
    var drawing: Drawing
  }

  struct Figure {
    var heading: String
    var note: String
    var svg: String

    init(_ strip: Strip, id: String) {
      heading = strip.heading
      note = strip.note
      svg = strip.drawing.inline(id: id)
    }
  }

  /// The findings of two profiles on the same days.
  struct Comparison {
    var scope: [String]
    var summary: String
    var tables: [Table]
  }

  struct Table {
    var titles: [String]
    var rows: [Row]

    struct Row {
      var name: String
      var cells: [String]
    }
  }

  struct Medication {
    var name: String
    var taken: String
    var expected: String
    var rate: String
  }

  /// Active alerts of a metric by level.
  struct Total {
    var metric: String
    var counts: [String]
  }

  struct Pair {
    var name: String
    var value: String
  }

  struct Change {
    var name: String
    var now: String
    var before: String
  }
}
