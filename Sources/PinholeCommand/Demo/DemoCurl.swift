import Foundation
import PinholeModel
import Subprocess

/// Runs curl (or a shell) in a clean environment, and reads what it saw.
struct DemoCurl: Sendable {
    /// What came of one run.
    struct Run: Sendable {
        /// The exit code; -1 for a signal.
        var exit: Int32
        /// Standard output: the body.
        var body: [UInt8]
        /// What curl complained about; empty for nothing.
        var complaint: String
        /// What curl measured; `nil` for a run through the shell.
        var facts: Facts?

        /// The body as text.
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// What curl measured.
    struct Facts: Sendable, Decodable {
        /// The status of the last response; 0 for none.
        var status: Int
        /// The bytes of the body as they were transferred.
        var size: Int64
        /// How many redirects were followed.
        var redirects: Int
        /// Seconds until the first byte.
        var firstByte: Double
        /// Seconds until the end.
        var total: Double
        /// The media type.
        var type: String?
    }

    /// The values of the variables in command lines, as `$PROXY`.
    let variables: [String: String]

    /// What the demo adds, so that it can read the result: no settings of the user, no progress bar, errors
    /// in words, an end in any case, and the measurements on standard error.
    static let additions = [
        "-q", "-sS", "-m", "10", "-w",
        #"%{stderr}{"status": %{response_code}, "size": %{size_download}, "redirects": %{num_redirects}, "#
            + #""firstByte": %{time_starttransfer}, "total": %{time_total}, "type": "%{content_type}"}"#,
    ]

    /// Whether there is a curl to run.
    static func isInstalled() async -> Bool {
        let run = try? await DemoCurl(variables: [:]).execute("curl", ["--version"], variables: [:])
        return run?.exit == 0
    }

    /// Runs curl.
    ///
    /// - Parameter words: The arguments, in which variables are replaced.
    /// - Returns: What came of it.
    /// - Throws: What went wrong when curl could not be run.
    func run(_ words: [String]) async throws -> Run {
        let arguments = words.map(replacingVariables)
        var run = try await execute("curl", Self.additions + arguments, variables: [:])
        guard let start = run.complaint.range(of: #"{"status""#, options: .backwards) else { return run }
        run.facts = try? JSONDecoder().decode(Facts.self, from: Data(run.complaint[start.lowerBound...].utf8))
        run.complaint = run.complaint[..<start.lowerBound].trimmingCharacters(in: .whitespacesAndNewlines)
        return run
    }

    /// Runs a command line by `sh`.
    ///
    /// - Parameters:
    ///   - command: The command line.
    ///   - variables: What is added to the environment.
    /// - Returns: What came of it.
    /// - Throws: What went wrong when it could not be run.
    func shell(_ command: String, variables: [String: String]) async throws -> Run {
        try await execute("timeout", ["10", "sh", "-c", command], variables: variables)
    }

    /// The command line as a person types it.
    static func line(_ words: [String]) -> String {
        (["curl"] + words.map { $0.hasPrefix("$") ? $0 : ShellQuoting.word($0.utf8) }).joined(separator: " ")
    }

    private func replacingVariables(_ word: String) -> String {
        variables.reduce(word) { $0.replacingOccurrences(of: "$\($1.key)", with: $1.value) }
    }

    private func execute(
        _ program: String,
        _ arguments: [String],
        variables: [String: String]
    ) async throws -> Run {
        let result = try await Subprocess.run(
            .name(program),
            arguments: Arguments(arguments),
            environment: Self.environment(variables),
            output: .bytes(limit: 16 << 20),
            error: .string(limit: 1 << 20)
        )
        var exit: Int32 = -1
        if case .exited(let code) = result.terminationStatus { exit = code }
        return Run(exit: exit, body: result.standardOutput, complaint: result.standardError)
    }

    /// The user's environment without what would lead curl elsewhere or make it trust something else.
    private static func environment(_ variables: [String: String]) -> Environment {
        var kept = ProcessInfo.processInfo.environment.filter { name, _ in
            let name = name.lowercased()
            return !name.hasSuffix("_proxy") && !name.hasPrefix("ssl") && !name.hasPrefix("curl")
        }
        kept.merge(variables) { $1 }
        let pairs = kept.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        return .custom(Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
}
