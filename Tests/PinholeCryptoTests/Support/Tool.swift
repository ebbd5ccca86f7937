import Foundation

/// A program of the system that a test runs.
struct Tool {
    let name: String

    var isThere: Bool { path != nil }

    private var path: String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs it to its end; standard error is part of the output.
    @discardableResult
    func run(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> (
        code: Int32, output: String
    ) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path ?? name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

/// A directory that is removed with the value.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/pinhole-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    func write(_ bytes: [UInt8], to name: String, mode: Int = 0o644) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        try FileManager.default.setAttributes(
            [.posixPermissions: mode],
            ofItemAtPath: "\(path)/\(name)"
        )
        return "\(path)/\(name)"
    }
}

/// A file below Tests/Clients.
func clientProgram(_ name: String, file: String = #filePath) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Clients/\(name)").path
}

/// The content of a file.
func bytesOfFile(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}
