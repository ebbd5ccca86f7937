import Subprocess

/// Runs programs of the system for their output.
enum Tool {
    /// Returns the output of a program in the PATH; `nil` if the program is missing or fails.
    ///
    /// - Returns: The standard output.
    static func output(_ name: String, _ arguments: [String]) async -> String? {
        let result = try? await Subprocess.run(
            .name(name),
            arguments: Arguments(arguments),
            input: .none,
            output: .string(limit: 16 << 20),
            error: .discarded
        )
        guard let result, result.terminationStatus.isSuccess else { return nil }
        return result.standardOutput
    }
}
