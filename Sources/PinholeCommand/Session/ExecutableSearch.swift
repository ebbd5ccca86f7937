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
        guard !exists(name, declaration.folder) else { return nil }
        let place = name.contains("/") ? "" : " in the folders of PATH"
        return "programs.\(declaration.name).command: there is no program \(name)\(place) that may be run"
    }

    private static func exists(_ name: String, _ folder: String) -> Bool {
        let folders =
            name.contains("/")
            ? [folder]
            : (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(
                String.init
            )
        return folders.contains { folder in
            let path = ConfigurationFile.resolve(name, in: folder)
            var isDirectory: ObjCBool = false
            return FileManager.default.isExecutableFile(atPath: path)
                && FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }
}
