import Foundation

/// Finds programs that tests run.
package enum Executable {
    /// The path of the program called `name`; `nil` where it is not installed.
    ///
    /// Directories that only root usually has on its path count too (nginx lies there).
    package static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let directories: [Substring] =
            path.split(separator: ":") + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
        return directories.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The `pinhole` of this build; `nil` where it was not built.
    ///
    /// It lies beside the test binary, so that a sanitizer's build tests its own. `PINHOLE_BINARY` overrides it.
    package static var pinhole: String? {
        let named = ProcessInfo.processInfo.environment["PINHOLE_BINARY"]
        let beside = Bundle.main.bundleURL.appendingPathComponent("pinhole").path
        return [named, beside].compactMap(\.self).first(where: FileManager.default.isExecutableFile)
    }

    /// The Python interpreter that has the packages of `Tests/Clients/requirements.txt`.
    ///
    /// `nil` where none was prepared; `make test` does.
    package static var testPython: String? {
        ProcessInfo.processInfo.environment["PINHOLE_TEST_PYTHON"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
