import PinholeFiles
import PinholeModel
import PinholeSession

/// An NSS database, in which browsers on Linux look for additional CAs.
struct NSSDatabase {
    /// The folder of the database.
    let folder: String

    /// The name of the CA in the database.
    static let nickname = "Pinhole CA"

    /// Creates the database if it is missing, and replaces its earlier Pinhole CA by another one.
    ///
    /// - Parameters:
    ///   - file: The CA's certificate in PEM.
    ///   - certutil: The path of the program `certutil`.
    /// - Throws: ``CommandFailure`` if `certutil` fails.
    func trust(_ file: String, by certutil: String) async throws(CommandFailure) {
        try CommandFailure.wrapping("could not make \(folder)") { try Folder.make(at: folder) }
        if !File.exists(at: "\(folder)/cert9.db") {
            try await run(certutil, "-N", ["--empty-password"])
        } else {
            // A kept profile may trust an older CA, which is removed here. The removal may fail if there is none.
            try? await run(certutil, "-D", ["-n", Self.nickname])
        }
        try await run(certutil, "-A", ["-t", "C,,", "-n", Self.nickname, "-i", file])
    }

    private func run(
        _ certutil: String,
        _ action: String,
        _ arguments: [String]
    ) async throws(CommandFailure) {
        let words = [action, "-d", "sql:\(folder)"] + arguments
        guard let reason = await ChildProcess.failure(of: certutil, words) else { return }
        throw CommandFailure(
            "the CA could not be put into \(folder): \(certutil) \(words.joined(separator: " ")): \(reason)"
        )
    }

    /// The step by which users get `certutil`.
    static let remedy = "apt install libnss3-tools (Fedora: dnf install nss-tools; Arch: pacman -S nss)"

    /// Returns the path of `certutil`, which writes NSS databases.
    ///
    /// - Parameter environment: The environment, whose PATH lists the folders to search.
    /// - Returns: The path.
    /// - Throws: ``CommandFailure`` that names the package of the program.
    static func certutil(_ environment: [String: String]) throws(CommandFailure) -> String {
        guard let path = ExecutableSearch.path(of: "certutil", environment) else {
            throw CommandFailure(
                "the program certutil of NSS is missing, which makes the browser's profile trust the CA",
                remedy: remedy
            )
        }
        return path
    }
}
