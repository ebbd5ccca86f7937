import PinholeSession

/// The editor of the user: that of `VISUAL` or `EDITOR`, else vi.
enum TextEditor {
    /// Returns the process that edits a file.
    ///
    /// - Parameter file: The path of the file.
    /// - Returns: The process, which needs the terminal.
    static func process(for file: String) -> ChildProcess {
        let editor = ["VISUAL", "EDITOR"].lazy.compactMap { ProcessEnvironment.variables[$0] }
            .first { !$0.isEmpty }
        // The variable may hold a program with arguments.
        return ChildProcess(
            command: ["/bin/sh", "-c", "\(editor ?? "vi") \"$1\"", "sh", file],
            variables: [:]
        )
    }
}
