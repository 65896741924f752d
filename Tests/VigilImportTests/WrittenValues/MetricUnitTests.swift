import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct MetricUnitTests {
  private func value(_ text: String, _ unit: MetricUnit, _ metric: String) throws -> Double? {
    let parser = FieldParser(today: try #require(Day("2026-06-30")), zones: .system)
    return Array(text.utf8).withUnsafeBufferPointer { bytes in
      do throws(Refusal) {
        return try unit.value(bytes, of: MetricType(metric), mark: .point, parser: parser)
      } catch {
        return nil
      }
    }
  }

  @Test(arguments: [
    ("7.5", MetricUnit.hours, "sleep_minutes", 450.0), ("27000", .seconds, "sleep_minutes", 450),
    ("27000000", .milliseconds, "sleep_minutes", 450), ("7:32", .clock, "sleep_minutes", 452),
    ("07:32:30", .clock, "sleep_minutes", 452.5), ("0.041", .seconds, "hrv_ms", 41),
    ("41", .milliseconds, "hrv_ms", 41), ("0.97", .fraction, "spo2_avg_pct", 97),
    ("97", .percent, "spo2_avg_pct", 97), ("418.4", .kJ, "active_calories", 100),
    ("8000", .count, "steps", 8000), ("33.8", .celsius, "skin_temperature_c", 33.8),
    ("92.84", .fahrenheit, "skin_temperature_c", 33.8),
  ])
  func convertsToTheStoredUnit(text: String, unit: MetricUnit, metric: String, expected: Double)
    throws
  {
    let value = try #require(try value(text, unit, metric))
    #expect(abs(value - expected) < 1e-9)
  }

  @Test(arguments: ["7:60", "7", "7:5:", "a:10", "-1:10", "7:32:61", "700:00", ""])
  func refusesOtherClocks(text: String) throws {
    #expect(try value(text, .clock, "sleep_minutes") == nil)
  }

  @Test func refusesNegativeAndInfiniteValues() throws {
    #expect(try value("-1", .count, "steps") == nil)
    #expect(try value("1e308", .hours, "sleep_minutes") == nil)
  }

  @Test func everyMetricHasAUnit() {
    for metric in InputTable.wearableMetrics {
      let units = MetricUnit.units(of: metric)
      #expect(units.first?.stored(3, of: metric) == 3)
      #expect(metric.rawValue == "steps" || units != [.count], "\(metric.rawValue)")
    }
  }
}
