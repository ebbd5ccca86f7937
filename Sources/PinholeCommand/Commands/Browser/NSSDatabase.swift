import Foundation
import Subprocess

/// A database of NSS, in which browsers on Linux look for CAs that are not their own.
struct NSSDatabase {
    /// Its folder.
    let folder: String

    /// The name of the CA in the database.
    static let nickname = "Pinhole CA"

    /// Makes the database where there is none, and has it trust one CA in the place of the one that it had before.
    ///
    /// - Parameters:
    ///   - file: The CA in PEM.
    ///   - certutil: The program that does it.
    /// - Throws: ``CommandFailure`` when it cannot.
    func trust(_ file: String, by certutil: String) async throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure(.couldNotRun, "could not make \(folder): \(error.localizedDescription)")
        }
        if !FileManager.default.fileExists(atPath: "\(folder)/cert9.db") {
            try await run(certutil, "-N", ["--empty-password"])
        } else {
            // A kept profile: the CA that it trusts may be one of last year. That there is none is no fault.
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
        let reason: String
        do {
            let result = try await Subprocess.run(
                ChildProcess.executable(certutil),
                arguments: Arguments(words),
                input: .none,
                output: .discarded,
                error: .string(limit: 1 << 16)
            )
            guard !result.terminationStatus.isSuccess else { return }
            reason = result.standardError.trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            reason = "\(error)"
        }
        throw CommandFailure(
            .couldNotRun,
            "the CA could not be put into \(folder): \(certutil) \(words.joined(separator: " ")): \(reason)"
        )
    }

    /// The program that writes such databases.
    ///
    /// - Parameter environment: The environment, whose PATH names the folders.
    /// - Returns: Its path.
    /// - Throws: ``CommandFailure`` that says which package has it.
    static func certutil(_ environment: [String: String]) throws(CommandFailure) -> String {
        guard let path = ExecutableSearch.path(of: "certutil", environment) else {
            throw CommandFailure(
                .couldNotRun,
                "the program certutil of NSS is missing, which makes the browser's profile trust the CA",
                remedy: "apt install libnss3-tools (Fedora: dnf install nss-tools; Arch: pacman -S nss)"
            )
        }
        return path
    }
}
