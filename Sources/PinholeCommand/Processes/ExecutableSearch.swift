import Glibc
import PinholeFiles
import PinholeRules
import PinholeSession

/// Looks up programs as a shell does.
enum ExecutableSearch {
    /// Returns a remark on the command of a declared program; `nil` if it seems correct.
    ///
    /// - Returns: A sentence.
    static func remark(_ declaration: ProgramDeclaration) -> String? {
        let name = declaration.command.first ?? ""
        guard path(of: name, from: declaration.folder) == nil else { return nil }
        let place = name.contains("/") ? "" : " in the folders of PATH"
        return "programs.\(declaration.name).command: there is no program \(name)\(place) that may be run"
    }

    /// Returns the path of an executable program.
    ///
    /// - Parameters:
    ///   - name: A name to look up in the folders of PATH, or a path.
    ///   - folder: The folder to which paths are relative; empty for the process's working directory.
    ///   - environment: The environment with PATH.
    /// - Returns: The path; `nil` if there is no such program.
    static func path(
        of name: String,
        from folder: String = "",
        _ environment: [String: String] = ProcessEnvironment.variables
    ) -> String? {
        let folders =
            name.contains("/")
            ? [folder]
            : (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
        return folders.lazy.map { ConfigurationFile.resolve(name, in: $0) }.first { path in
            access(path, X_OK) == 0 && File.kind(of: path) != .folder
        }
    }
}
