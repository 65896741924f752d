// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// CI sets `VIGIL_WARNINGS_AS_ERRORS`; on a developer's machine a warning stays a warning, so that
/// a newer compiler does not stop a build.
let warningsAreErrors = ProcessInfo.processInfo.environment["VIGIL_WARNINGS_AS_ERRORS"] != nil

/// Tests are built with `-c release`, because they spend their time in what they check and in its packages.
///
/// Their own code stays as it is, which takes less time than optimizing it, but for these.
let optimizedTests: Set = ["VigilReportTests"]

/// Tests spend little time in these, and they take the compiler long to optimize.
let unoptimizedForTests: Set = ["VigilDispatch", "vigil"]

/// State machines, blocks and queues check themselves after each change where `VIGIL_CHECK_INVARIANTS` is
/// set, as `make test` does: see the functions `_checkInvariants`.
///
/// What they check takes longer than what is promised of the functions that they check.
let checksInvariants = ProcessInfo.processInfo.environment["VIGIL_CHECK_INVARIANTS"] != nil

/// `make library` puts the core into a C library, with loops of its own in the place of BLAS and LAPACK.
///
/// Nothing else is built with `VIGIL_LIBRARY`, so that the engine's kernels stay as they are.
let buildsLibrary = ProcessInfo.processInfo.environment["VIGIL_LIBRARY"] != nil

/// `make check` builds the pure core and its tests, and nothing else, through `VIGIL_ONLY_CORE`.
///
/// A change of the core would otherwise have the tests of everything above it built again.
let buildsOnlyCore = ProcessInfo.processInfo.environment["VIGIL_ONLY_CORE"] != nil

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let inMemoryLogging: Target.Dependency = .product(
  name: "InMemoryLogging", package: "swift-log")
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
// On other systems the paths of swift-subprocess are those of the system.
let systemPackage: Target.Dependency = .product(
  name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux]))
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")

let package = Package(
  name: "vigil",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "vigil", targets: ["vigil"]),
    .executable(name: "vigil-quality", targets: ["vigil-quality"]),
    .library(name: "VigilModel", targets: ["VigilModel"]),
    .library(name: "VigilDetection", targets: ["VigilDetection"]),
    .library(name: "VigilAdherence", targets: ["VigilAdherence"]),
    .library(name: "VigilZones", targets: ["VigilZones"]),
    .library(name: "VigilVitality", targets: ["VigilVitality"]),
    .library(
      name: "Vigil",
      targets: [
        "VigilModel", "VigilDetection", "VigilAdherence", "VigilVitality", "VigilAlerts",
        "VigilAnalysis", "VigilCharts", "VigilPipeline", "VigilStorage", "VigilSQL", "VigilSQLite",
        "VigilPostgres",
        "VigilImport",
        "VigilBatch", "VigilReport", "VigilWords", "VigilZones", "ShippedThresholds",
      ]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // C libraries
    .systemLibrary(
      name: "CBLAS",
      providers: [.apt(["libblas-dev"]), .brew(["openblas"])]),

    .systemLibrary(name: "CFiles"),
    .systemLibrary(name: "CMath"),
    .systemLibrary(name: "CSQLite"),

    .systemLibrary(
      name: "CLAPACKE",
      providers: [.apt(["liblapacke-dev"]), .brew(["lapack"])]),

    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),

    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    .systemLibrary(
      name: "CExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),

    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    .systemLibrary(
      name: "CMinizip", pkgConfig: "minizip",
      providers: [.apt(["libminizip-dev"]), .brew(["minizip"])]),

    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),

    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

    // SHA-1 and SHA-256 by the processor's own instructions, which Swift cannot name
    .target(name: "CDigests"),

    // What runs before the libraries of a process do
    .target(name: "CStart"),

    // The pure core: no clock, no I/O, no logger
    .target(name: "VigilModel", dependencies: ["CDigests"]),
    .target(
      name: "VigilKernels",
      dependencies: (buildsLibrary ? [] : ["CBLAS", "CLAPACKE"]) + ["CMath", "VigilModel"]),
    .target(name: "VigilDetection", dependencies: ["CMath", "VigilKernels", "VigilModel"]),
    .target(name: "VigilAdherence", dependencies: ["VigilKernels", "VigilModel"]),
    .target(name: "VigilVitality", dependencies: ["VigilKernels", "VigilModel"]),
    .target(
      name: "VigilPipeline",
      dependencies: ["VigilAdherence", "VigilDetection", "VigilModel", "VigilVitality"]),
    .target(name: "VigilAlerts", dependencies: ["VigilModel"]),
    .target(
      name: "VigilAnalysis",
      dependencies: ["CMath", "VigilAdherence", "VigilDetection", "VigilModel"]),
    .target(
      name: "VigilCharts", dependencies: ["VigilAnalysis", "VigilDetection", "VigilModel"],
      plugins: ["EmbedTexts"]),
    .target(
      name: "VigilLaboratory", dependencies: ["VigilAnalysis", "VigilDetection", "VigilModel"]),
    .target(
      name: "ShippedThresholds",
      path: "thresholds",
      exclude: ["README.md", "thresholds.schema.json", "vitality.schema.json"],
      plugins: ["EmbedTexts"]),

    .target(
      name: "ShippedPopulation", dependencies: ["VigilLaboratory"],
      path: "benchmarks/quality/population",
      plugins: ["EmbedTexts"]),

    // SQL, JSON, CSS and templates in code
    .plugin(name: "EmbedTexts", capability: .buildTool()),

    // The zone files of the system
    .target(name: "VigilZones", dependencies: ["CFiles", "VigilModel"]),

    // The files that a program writes
    .target(name: "VigilFiles", dependencies: ["CFiles"]),

    // Databases
    .target(
      name: "VigilStorage",
      dependencies: ["VigilModel", "VigilAdherence", "VigilAlerts", "VigilDetection"]),
    .target(
      name: "VigilSQL",
      dependencies: ["VigilAdherence", "VigilModel", "VigilAlerts", "VigilStorage"],
      plugins: ["EmbedTexts"]),
    .target(
      name: "VigilSQLite",
      dependencies: [
        "CSQLite", "VigilAdherence", "VigilFiles", "VigilModel", "VigilSQL", "VigilStorage", grdb,
        grdbSQLite,
      ],
      plugins: ["EmbedTexts"]),
    .target(
      name: "VigilPostgres",
      dependencies: ["CLibPQ", "VigilAdherence", "VigilModel", "VigilSQL", "VigilStorage"],
      plugins: ["EmbedTexts"]),

    // What a command does
    .target(
      name: "VigilImport",
      dependencies: [
        "CExpat", "CMinizip", "CZlib", "CZstd", "ShippedPopulation", "VigilDetection", "VigilFiles",
        "VigilLaboratory", "VigilModel", "VigilStorage", grdbSQLite,
      ],
      plugins: ["EmbedTexts"]),
    .target(
      name: "VigilBatch",
      dependencies: [
        "VigilModel", "VigilAdherence", "VigilAnalysis", "VigilCharts", "VigilDetection",
        "VigilPipeline", "VigilVitality",
        "VigilAlerts", "VigilStorage", logging,
      ]),
    .target(
      name: "VigilReport",
      dependencies: [
        "VigilAdherence", "VigilAnalysis", "VigilCharts", "VigilAlerts", "VigilDetection",
        "VigilModel", "VigilStorage", "VigilVitality", "VigilWords", mustache,
      ],
      plugins: ["EmbedTexts"]),
    .target(
      name: "VigilWords", dependencies: ["VigilModel", mustache], plugins: ["EmbedTexts"]),
    .target(name: "VigilTransfers", dependencies: ["CCurl"]),
    .target(
      name: "VigilDispatch",
      dependencies: [
        "CCrypto", "VigilAlerts", "VigilModel", "VigilStorage", "VigilTransfers", "VigilWords",
        logging, mustache, subprocess, systemPackage,
      ],
      plugins: ["EmbedTexts"]),
    .executableTarget(
      name: "vigil",
      dependencies: [
        "CFiles", "CMinizip", "CStart",
        "VigilModel", "VigilAdherence", "VigilAnalysis", "VigilKernels", "VigilDetection",
        "VigilVitality", "VigilFiles", "VigilStorage", "VigilSQLite", "VigilPostgres",
        "VigilImport", "VigilBatch", "VigilCharts", "VigilAlerts", "VigilDispatch", "VigilReport",
        "VigilTransfers", "VigilWords", "VigilZones", "VigilLaboratory", "ShippedPopulation",
        "ShippedThresholds",
        argumentParser, logging, yams,
      ]),

    // How well the profiles detect: `make quality`
    .executableTarget(
      name: "vigil-quality",
      dependencies: [
        "VigilAnalysis", "VigilLaboratory", "VigilDetection", "VigilFiles", "VigilModel",
        "ShippedPopulation", "ShippedThresholds",
      ],
      path: "benchmarks/quality/vigil-quality"),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: ["VigilModel", "VigilZones"],
      path: "Tests/TestSupport",
      exclude: ["provider.py", "push.py", "smtp.py"]),
    .target(name: "GoldenFiles", path: "Tests/GoldenFiles"),
    .target(
      name: "TestPopulation", dependencies: ["VigilLaboratory", "VigilDetection", "VigilModel"],
      path: "Tests/TestPopulation"),
    .target(
      name: "CFaultyDisk", path: "Tests/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "ReferenceKernels",
      dependencies: ["VigilModel", "VigilDetection", "VigilAdherence", "VigilVitality"],
      path: "Tests/ReferenceKernels"),
    .target(
      name: "StorageConformance",
      dependencies: [
        "VigilAdherence", "VigilAlerts", "VigilModel", "VigilStorage", "VigilVitality",
        "ReferenceKernels", "TestSupport",
      ],
      path: "Tests/StorageConformance"),
    .target(
      name: "PostgresTestServer", dependencies: ["CLibPQ", "TestSupport"],
      path: "Tests/PostgresTestServer", exclude: ["keeper.sh"]),
    .target(
      name: "TestDatabases",
      dependencies: [
        "PostgresTestServer", "VigilModel", "VigilStorage", "VigilPostgres", "VigilSQLite", grdb,
        grdbSQLite,
      ],
      path: "Tests/TestDatabases"),
    .executableTarget(
      name: "postgres-for-tests", dependencies: ["PostgresTestServer"],
      path: "Tests/postgres-for-tests"),
    .testTarget(
      name: "PostgresTestServerTests",
      dependencies: ["PostgresTestServer", "postgres-for-tests", "TestSupport"]),
    .testTarget(
      name: "VigilModelTests",
      dependencies: ["CCrypto", "CDigests", "ShippedThresholds", "VigilModel", "TestSupport"]),
    .testTarget(
      name: "VigilZonesTests", dependencies: ["VigilZones", "VigilModel", "TestSupport"],
      exclude: ["zones.py"]),
    .testTarget(
      name: "VigilKernelsTests",
      dependencies: ["VigilKernels", "ReferenceKernels", "TestSupport"]),
    .testTarget(
      name: "VigilDetectionTests",
      dependencies: [
        "VigilDetection", "VigilModel", "ReferenceKernels", "ShippedThresholds", "TestSupport",
      ],
      exclude: ["Specification/limits.json", "Specification/limits.py"]),
    .testTarget(
      name: "VigilAnalysisTests",
      dependencies: [
        "VigilAnalysis", "VigilDetection", "VigilModel", "ReferenceKernels", "ShippedThresholds",
        "TestSupport",
      ]),
    .testTarget(
      name: "VigilChartsTests", dependencies: ["GoldenFiles", "VigilCharts", "VigilModel"],
      exclude: ["Snapshots"]),
    .testTarget(
      name: "VigilLaboratoryTests",
      dependencies: [
        "VigilAnalysis", "VigilLaboratory", "VigilDetection", "VigilModel", "ReferenceKernels",
        "TestPopulation",
      ]),
    .testTarget(
      name: "VigilQualityTests",
      dependencies: [
        "vigil-quality", "VigilAnalysis", "VigilLaboratory", "VigilDetection", "VigilModel",
        "TestPopulation",
      ]),
    .testTarget(
      name: "VigilAdherenceTests",
      dependencies: ["VigilAdherence", "VigilModel", "ReferenceKernels", "TestSupport"]
        + (buildsOnlyCore ? [] : ["TestDatabases", "VigilStorage"]),
      exclude: buildsOnlyCore ? ["DatabaseFixtureTests.swift"] : []),
    .testTarget(
      name: "VigilVitalityTests",
      dependencies: [
        "VigilVitality", "VigilKernels", "VigilModel", "ReferenceKernels", "ShippedThresholds",
        "TestSupport",
      ]),
    .testTarget(
      name: "VigilPipelineTests",
      dependencies: [
        "VigilPipeline", "VigilAdherence", "VigilDetection", "VigilModel", "ShippedThresholds",
        "TestSupport",
      ]),
    .testTarget(
      name: "VigilAlertsTests",
      dependencies: ["VigilAlerts", "VigilModel", "TestSupport"]),
    .testTarget(
      name: "VigilDispatchTests",
      dependencies: [
        "VigilDispatch", "VigilAlerts", "VigilModel", "VigilStorage", "GoldenFiles",
        "VigilTransfers", "TestDatabases", "TestSupport", logging, inMemoryLogging,
      ],
      exclude: ["Snapshots"]),
    .testTarget(
      name: "VigilWordsTests",
      dependencies: [
        "VigilWords", "VigilDetection", "VigilModel", "ReferenceKernels", "ShippedThresholds",
        "TestSupport",
      ]),
    .testTarget(name: "VigilFilesTests", dependencies: ["VigilFiles", "TestSupport"]),
    .testTarget(
      name: "VigilTransfersTests", dependencies: ["VigilTransfers", "TestSupport"]),
    .testTarget(name: "VigilSQLTests", dependencies: ["VigilSQL"]),
    .testTarget(
      name: "VigilSQLiteTests",
      dependencies: [
        "VigilSQLite", "VigilModel", "VigilSQL", "VigilStorage", "StorageConformance",
        "TestDatabases", "TestSupport", grdb,
      ]),
    .testTarget(
      name: "VigilPostgresTests",
      dependencies: [
        "VigilPostgres", "VigilAdherence", "VigilModel", "VigilSQL", "VigilStorage",
        "StorageConformance", "PostgresTestServer", "TestDatabases", "TestSupport",
      ],
      exclude: ["Snapshots"]),
    .testTarget(
      name: "VigilImportTests",
      dependencies: [
        "CMinizip", "CZlib", "CZstd", "VigilImport", "VigilModel", "VigilStorage", "TestDatabases",
        "TestSupport", grdb, grdbSQLite,
      ]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "VigilModel", "VigilZones", "VigilDetection", "VigilAdherence", "VigilVitality",
        "VigilAnalysis", "VigilLaboratory", "VigilStorage", "VigilBatch", "VigilSQL", "VigilSQLite",
        "VigilPostgres", "ShippedThresholds",
      ]),
    .testTarget(
      name: "VigilBatchTests",
      dependencies: [
        "CFaultyDisk", "VigilBatch", "VigilAdherence", "VigilAlerts", "VigilModel",
        "VigilDetection",
        "VigilPipeline", "VigilStorage", "ShippedThresholds", "ReferenceKernels",
        "StorageConformance",
        "TestDatabases", "TestSupport", "VigilImport", inMemoryLogging, logging,
      ]),
    .testTarget(
      name: "VigilReportTests",
      dependencies: [
        "GoldenFiles", "VigilReport", "VigilAdherence", "VigilAnalysis", "VigilCharts",
        "VigilDetection", "VigilModel", "VigilStorage", "VigilWords", "ReferenceKernels",
        "ShippedThresholds", "TestSupport",
      ],
      exclude: ["Snapshots"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "vigil", "ShippedThresholds", "VigilDetection", "VigilModel", "VigilReport", "VigilStorage",
        "VigilZones",
        "PostgresTestServer", "ReferenceKernels", "TestDatabases", "TestSupport",
        argumentParser, logging, yams,
      ],
      exclude: ["RealExports/real-exports.json"]),
  ]
)

if buildsLibrary {
  package.products.append(
    .library(name: "vigil-library", type: .dynamic, targets: ["VigilC"]))
  package.targets += [
    .systemLibrary(name: "CVigil"),
    .target(
      name: "VigilC",
      dependencies: [
        "CVigil", "ShippedThresholds", "VigilAdherence", "VigilAnalysis", "VigilCharts",
        "VigilDetection", "VigilModel", "VigilPipeline", "VigilVitality", "VigilZones",
      ],
      exclude: ["exports.map"],
      linkerSettings: [
        .unsafeFlags([
          "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/VigilC/exports.map",
          "-Xlinker", "-soname=libvigil.so.0", "-Xlinker", "--gc-sections",
        ])
      ]),
  ]
}

if buildsOnlyCore {
  let core: Set = [
    "EmbedTexts", "CBLAS", "CCrypto", "CDigests", "CFiles", "CLAPACKE", "CMath", "VigilModel",
    "VigilZones",
    "VigilKernels", "VigilDetection", "VigilAdherence", "VigilVitality", "VigilAlerts",
    "VigilAnalysis", "VigilCharts", "VigilLaboratory", "VigilPipeline", "ShippedThresholds",
    "ReferenceKernels", "TestSupport", "TestPopulation", "GoldenFiles",
  ]
  package.products = []
  package.dependencies = []
  package.targets.removeAll { target in
    let isTest = target.type == .test
    return !core.contains(isTest ? String(target.name.dropLast("Tests".count)) : target.name)
  }
}

for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
      .enableUpcomingFeature("ExistentialAny"),
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
      .enableUpcomingFeature("InternalImportsByDefault"),
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
  if target.type == .test && !optimizedTests.contains(target.name)
    || target.name == "StorageConformance"
    || checksInvariants && unoptimizedForTests.contains(target.name)
  {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  // The last one, which has the processors to itself: they share its files.
  if target.name == "EndToEndTests" {
    target.swiftSettings?.append(
      .unsafeFlags(
        ["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release)))
  }
  if buildsLibrary {
    target.swiftSettings?.append(.define("VIGIL_LIBRARY"))
    // Drawing and explaining are not waited for, and the library is to be small.
    if ["VigilAnalysis", "VigilCharts"].contains(target.name) {
      target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    }
  }
  if checksInvariants {
    target.swiftSettings? += [
      .define("VIGIL_CHECK_INVARIANTS"), .unsafeFlags(["-assert-config", "Debug"]),
    ]
  }
  if warningsAreErrors {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
