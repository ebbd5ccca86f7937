import Subprocess

/// Programs of the system that are asked for something.
enum Tool {
    /// What a program of the path writes; `nil` where it is missing or fails.
    ///
    /// - Parameters:
    ///   - name: The program.
    ///   - arguments: Its arguments.
    /// - Returns: Its standard output.
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
