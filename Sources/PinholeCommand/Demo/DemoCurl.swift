import PinholeModel
import PinholeSession
import Subprocess

/// Runs curl or a shell in a clean environment, and reads the result.
struct DemoCurl: Sendable {
    /// The result of a run.
    struct Run: Sendable {
        /// The exit code; -1 if a signal ended the process.
        var exit: Int32
        /// The standard output, which is the body.
        var body: [UInt8]
        /// The error message of curl; empty for none.
        var complaint: String
        /// The measurements of curl; `nil` for a run through the shell.
        var facts: Facts?

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The measurements of curl for a run.
    struct Facts: Sendable, Decodable {
        /// The status of the last response; 0 for none.
        var status: Int
        /// The bytes of the body as they were transferred.
        var size: Int64
        /// The number of followed redirects.
        var redirects: Int
        /// The time until the first byte, in seconds.
        var firstByte: Double
        /// The time until the end, in seconds.
        var total: Double
        /// The media type.
        var type: String?
    }

    /// The values of the variables in command lines, such as `$PROXY`.
    let variables: [String: String]

    /// The arguments that the demo adds to read the result: no settings of the user, no progress bar, error messages,
    /// a timeout, and the measurements on standard error.
    static let additions = [
        "-q", "-sS", "-m", "10", "-w",
        #"%{stderr}{"status": %{response_code}, "size": %{size_download}, "redirects": %{num_redirects}, "#
            + #""firstByte": %{time_starttransfer}, "total": %{time_total}, "type": "%{content_type}"}"#,
    ]

    /// Runs curl.
    ///
    /// - Parameter words: The arguments, in which variables are replaced.
    /// - Returns: The result.
    /// - Throws: The failure to run curl.
    func run(_ words: [String]) async throws -> Run {
        let arguments = words.map(replacingVariables)
        var run = try await execute("curl", Self.additions + arguments, variables: [:])
        guard let start = run.complaint.ranges(of: #"{"status""#).last else { return run }
        let measured = Array(run.complaint[start.lowerBound...].utf8)
        run.facts = try? JSONValue(parsing: measured).decoded(as: Facts.self)
        run.complaint = run.complaint[..<start.lowerBound].trimmed
        return run
    }

    /// Runs a command line with `sh`.
    ///
    /// - Parameters:
    ///   - command: The command line.
    ///   - variables: The variables to add to the environment.
    /// - Returns: The result.
    /// - Throws: The failure to run the shell.
    func shell(_ command: String, variables: [String: String]) async throws -> Run {
        try await execute("timeout", ["10", "sh", "-c", command], variables: variables)
    }

    /// Returns the command line as a user would type it.
    static func line(_ words: [String]) -> String {
        (["curl"] + words.map { $0.hasPrefix("$") ? $0 : ShellWord.word($0.utf8) }).joined(separator: " ")
    }

    private func replacingVariables(_ word: String) -> String {
        variables.reduce(word) { $0.replacing("$\($1.key)", with: $1.value) }
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

    /// Returns the user's environment without variables that change the proxy or the trusted CAs of curl.
    private static func environment(_ variables: [String: String]) -> Environment {
        var kept = ProcessEnvironment.variables.filter { name, _ in
            let name = name.lowercased()
            return !name.hasSuffix("_proxy") && !name.hasPrefix("ssl") && !name.hasPrefix("curl")
        }
        kept.merge(variables) { $1 }
        let pairs = kept.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        return .custom(Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
}
