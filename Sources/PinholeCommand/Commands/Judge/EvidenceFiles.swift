import PinholeCrypto
import PinholePolicies
import PinholeTrust

/// Reads the files that cases and policies name, each file once.
final class EvidenceFiles {
    /// The folder to which relative paths are relative.
    private let root: String
    private var chains: [String: Result<[CertificateFacts], PolicyFailure>] = [:]
    private var joined: [[String]: [CertificateFacts]] = [:]
    private var lists: [String: [[UInt8]]] = [:]
    private var staples: [String: [UInt8]] = [:]
    /// The certificates by their bytes, so that a certificate in several files has one object.
    private var known: [[UInt8]: CertificateFacts] = [:]

    /// Whether a revocation list or an OCSP response that cannot be read is evidence, too: a peer can send anything.
    private let acceptsUnreadable: Bool

    /// Creates a reader of files below `root`; absolute paths stay as they are.
    init(root: String, acceptsUnreadable: Bool = false) {
        self.root = root
        self.acceptsUnreadable = acceptsUnreadable
    }

    /// Returns the certificates of `paths`, in the order of the files.
    func certificates(_ paths: [String]) throws(PolicyFailure) -> [CertificateFacts] {
        if let found = joined[paths] { return found }
        var certificates: [CertificateFacts] = []
        for path in paths { certificates += try self.certificates(path) }
        joined[paths] = certificates
        return certificates
    }

    /// Returns the certificates of one file in PEM or DER.
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

    /// Returns the revocation lists of files.
    func revocationLists(_ paths: [String]) throws(PolicyFailure) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for path in paths {
            if let found = lists[path] {
                all += found
                continue
            }
            let bytes = try content(path)
            do throws(CryptoFailure) {
                let found = try RevocationList.parse(bytes)
                lists[path] = found
                all += found
            } catch {
                let isList = bytes.first == 0x30 || PEM.blocks(in: bytes).contains { $0.label == "X509 CRL" }
                guard acceptsUnreadable, isList else { throw PolicyFailure("\(path): \(error)") }
                lists[path] = [bytes]
                all.append(bytes)
            }
        }
        return all
    }

    /// Returns the stapled OCSP response of a file in DER.
    func stapledResponse(_ path: String) throws(PolicyFailure) -> [UInt8] {
        if let found = staples[path] { return found }
        let bytes = try content(path)
        do throws(CryptoFailure) {
            try StapledResponse(der: bytes).check()
        } catch {
            // A file in PEM is the wrong file, and no response that a server sent.
            guard acceptsUnreadable, PEM.blocks(in: bytes).isEmpty else {
                throw PolicyFailure("\(path): \(error)")
            }
        }
        staples[path] = bytes
        return bytes
    }

    /// Returns the content of a file.
    func content(_ path: String) throws(PolicyFailure) -> [UInt8] {
        let place = path.hasPrefix("/") || root == "." ? path : "\(root)/\(path)"
        return try PolicyFile.content(of: place, limit: PolicyFile.evidenceBytes)
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
