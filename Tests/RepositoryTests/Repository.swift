import Foundation
import PinholeTestKit
import Testing

/// A text file of the repository.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// The path below the repository's root.
    let path: String
    /// The lines, without their ends.
    let lines: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }

    /// The folders and the file's name.
    var components: [String] { path.split(separator: "/").map(String.init) }

    /// The file's name without `.swift`.
    var name: String { components.last.map { String($0.dropLast(".swift".count)) } ?? "" }

    var testDescription: String { path }
}

extension StringProtocol {
    /// Returns whether `word` stands in the text, up to the first NUL.
    ///
    /// The rules look for words in each line of the repository. The library compares characters, which takes many
    /// times as long as a comparison of bytes.
    func contains(_ word: String) -> Bool { strstr(String(self), word) != nil }
}

/// Something that a rule of the repository forbids, and where.
struct Finding: Equatable, CustomStringConvertible {
    let description: String

    init(_ file: SourceFile, line: Int? = nil, _ sentence: String) {
        description = line.map { "\(file.path):\($0 + 1): \(sentence)" } ?? "\(file.path): \(sentence)"
    }
}

/// The repository that the tests were built from.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files below `folder`, in the order of their paths.
    static func swiftFiles(below folder: String) throws -> [SourceFile] {
        try files(below: folder, ending: ".swift")
    }

    /// The files below `folder` whose names end in `suffix`, in the order of their paths.
    static func files(below folder: String, ending suffix: String) throws -> [SourceFile] {
        let directory = root.appendingPathComponent(folder)
        let names = try #require(
            FileManager.default.enumerator(atPath: directory.path),
            "there is no folder \(folder)"
        )
        return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted().map { name in
            let url = directory.appendingPathComponent(name)
            return SourceFile(path: "\(folder)/\(name)", text: try String(contentsOf: url, encoding: .utf8))
        }
    }

    /// The files that git tracks or would track; every file outside of `.build` where this is no clone.
    static func trackedFiles() async throws -> [String] {
        let listing = Invocation(
            "git",
            ["-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            directory: root.path
        )
        if let result = try? await ProcessRunner.run(listing), result.isSuccess {
            let names = result.text.split(separator: "\0").map(String.init)
            return names.filter {
                FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path)
            }
        }
        let names = try #require(FileManager.default.enumerator(atPath: root.path))
        return names.compactMap { $0 as? String }.filter { name in
            let isFolder = try? root.appendingPathComponent(name)
                .resourceValues(forKeys: [.isDirectoryKey]).isDirectory
            return isFolder == false && !name.hasPrefix(".build/") && !name.hasPrefix(".git/")
        }
    }

    /// The text of the file at `path`; `nil` where it is not text.
    static func text(of path: String) -> String? {
        try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}
