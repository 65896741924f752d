// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "vigil-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "vigil", path: ".."),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Core",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Vigil", package: "vigil"),
        .product(name: "VigilDetection", package: "vigil"),
        .product(name: "VigilModel", package: "vigil"),
        .product(name: "VigilVitality", package: "vigil"),
      ],
      path: "Benchmarks/Core",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "Adherence",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "VigilAdherence", package: "vigil"),
        .product(name: "VigilModel", package: "vigil"),
        .product(name: "VigilZones", package: "vigil"),
      ],
      path: "Benchmarks/Adherence",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "Enqueue",
      dependencies: [
        .product(name: "Vigil", package: "vigil"),
        .product(name: "VigilModel", package: "vigil"),
      ],
      path: "Sources/Enqueue"),
    // The floor of any program that reads these rows: the same SELECT in a bare C loop.
    .executableTarget(
      name: "BareSelect", path: "Sources/BareSelect",
      linkerSettings: [.linkedLibrary("sqlite3")]),
  ]
)
