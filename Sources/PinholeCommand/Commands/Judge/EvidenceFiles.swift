import Foundation
import PinholeCrypto
import PinholeTrust

/// Reads the files that cases and policies name; each one once.
final class EvidenceFiles {
    /// Larger files hold no certificates.
    private static let mostBytes = 64 << 20

    /// What relative paths start at.
    private let root: String
    private var chains: [String: Result<[CertificateFacts], PolicyFailure>] = [:]
    private var joined: [[String]: [CertificateFacts]] = [:]
    private var lists: [String: [[UInt8]]] = [:]
    /// One object for each certificate, however many files hold it.
    private var known: [[UInt8]: CertificateFacts] = [:]

    /// Reads below `root`; absolute paths stay what they are.
    init(root: String) { self.root = root }

    /// The certificates of `paths`, one file after the other.
    func certificates(_ paths: [String]) throws(PolicyFailure) -> [CertificateFacts] {
        if let found = joined[paths] { return found }
        var certificates: [CertificateFacts] = []
        for path in paths { certificates += try self.certificates(path) }
        joined[paths] = certificates
        return certificates
    }

    /// The certificates of one file, in PEM or DER.
    func certificates(_ path: String) throws(PolicyFailure) -> [CertificateFacts] {
        if let found = chains[path] { return try found.get() }
        let result: Result<[CertificateFacts], PolicyFailure>
        do throws(PolicyFailure) {
            result = .success(try read(path))
        } catch {
            result = .failure(error)
        }
        chains[path] = result
        return try result.get()
    }

    /// The revocation lists of files.
    func revocationLists(_ paths: [String]) throws(PolicyFailure) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for path in paths {
            if let found = lists[path] {
                all += found
                continue
            }
            do throws(CryptoFailure) {
                lists[path] = try RevocationList.parse(try content(path, CryptoFailure.init))
            } catch {
                throw PolicyFailure("\(path): \(error)")
            }
            all += lists[path] ?? []
        }
        return all
    }

    /// The whole of a file.
    func content(_ path: String) throws(PolicyFailure) -> [UInt8] { try content(path, PolicyFailure.init) }

    private func content<Failure: Error>(
        _ path: String,
        _ failure: (String) -> Failure
    ) throws(Failure) -> [UInt8] {
        let place = path.hasPrefix("/") ? path : "\(root)/\(path)"
        guard let handle = FileHandle(forReadingAtPath: place) else {
            throw failure("could not open \(path): expected a file that can be read")
        }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: Self.mostBytes + 1) else {
            // An empty file gives nothing; a directory fails.
            guard (try? handle.seekToEnd()) == 0 else { throw failure("could not read \(path)") }
            return []
        }
        guard data.count <= Self.mostBytes else { throw failure("\(path) is larger than 64 MiB") }
        return Array(data)
    }

    private func read(_ path: String) throws(PolicyFailure) -> [CertificateFacts] {
        let bytes = try content(path)
        do throws(CryptoFailure) {
            return try Certificate.parse(bytes).map { certificate in
                let digest = certificate.fingerprintSHA256
                if let facts = known[digest] { return facts }
                let facts = certificate.facts
                known[digest] = facts
                return facts
            }
        } catch {
            throw PolicyFailure("\(path): \(error)")
        }
    }
}
