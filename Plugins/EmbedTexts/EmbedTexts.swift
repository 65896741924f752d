import Foundation
import PackagePlugin

/// Gives a target the texts of its files (SQL, JSON, CSS, templates) as strings: `PackageResources.reading_sql` is
/// `reading.sql`, and `PackageResources.files` has the names and texts of all.
///
/// SwiftPM's `.embedInCode` writes arrays of bytes, which took the compiler more than a minute in this package; a
/// string of the same length takes none.
@main
struct EmbedTexts: BuildToolPlugin {
  private static let extensions: Set = ["css", "json", "mustache", "sql", "tsv"]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let files = target.sourceFiles.map(\.url)
      .filter { Self.extensions.contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
    let script = context.package.directoryURL.appending(path: "scripts/embed-texts")
    let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
    return [
      .buildCommand(
        displayName: "Embed texts of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path] + files.map(\.path), inputFiles: [script] + files,
        outputFiles: [output])
    ]
  }
}
