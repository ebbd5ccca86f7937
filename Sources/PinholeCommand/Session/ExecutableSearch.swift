import Foundation
import PinholeRules

/// Looks for programs as a shell does.
enum ExecutableSearch {
    /// What is odd about the command of a program; `nil` for nothing.
    ///
    /// - Parameter declaration: What is declared.
    /// - Returns: A sentence.
    static func remark(_ declaration: ProgramDeclaration) -> String? {
        let name = declaration.command.first ?? ""
        guard path(of: name, from: declaration.folder) == nil else { return nil }
        let place = name.contains("/") ? "" : " in the folders of PATH"
        return "programs.\(declaration.name).command: there is no program \(name)\(place) that may be run"
    }

    /// The path of a program that may be run.
    ///
    /// - Parameters:
    ///   - name: Its name, which is looked for in the folders of PATH, or a path.
    ///   - folder: The folder that paths are relative to; empty for that of the process.
    ///   - environment: The environment with PATH.
    /// - Returns: The path; `nil` where there is none.
    static func path(
        of name: String,
        from folder: String = "",
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let folders =
            name.contains("/")
            ? [folder]
            : (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
        return folders.lazy.map { ConfigurationFile.resolve(name, in: $0) }.first { path in
            var isDirectory: ObjCBool = false
            return FileManager.default.isExecutableFile(atPath: path)
                && FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }
}
