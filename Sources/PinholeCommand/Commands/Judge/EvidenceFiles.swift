import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeTrust

/// Reads the evidence that the user or a case names, each file once.
final class EvidenceFiles {
    /// The files that cases name; `nil` if the user names the files.
    private let named: NamedFiles?
    private var joined: [[String]: [CertificateFacts]] = [:]
    private var lists: [String: [[UInt8]]] = [:]
    private var staples: [String: [UInt8]] = [:]

    /// Creates a reader.
    ///
    /// - Parameter named: The files that cases may name; `nil` for files that the user names on the command line.
    init(_ named: NamedFiles? = nil) { self.named = named }

    /// Whether a revocation list or an OCSP response that cannot be read is evidence, too: a peer can send anything.
    private var acceptsUnreadable: Bool { named != nil }

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
        if let named { return try named.certificates(path) }
        return try parsed(path, as: "certificates in PEM or DER") { content in
            try Certificate.parse(content).map(\.facts)
        }
    }

    /// Returns the revocation lists of files.
    func revocationLists(_ paths: [String]) throws(PolicyFailure) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for path in paths { all += try revocationLists(path) }
        return all
    }

    private func revocationLists(_ path: String) throws(PolicyFailure) -> [[UInt8]] {
        if let found = lists[path] { return found }
        let found = try parsed(path, as: "a revocation list in PEM or DER") { content in
            do throws(CryptoFailure) {
                return try RevocationList.parse(content)
            } catch {
                let isList =
                    content.first == 0x30 || PEM.blocks(in: content).contains { $0.label == "X509 CRL" }
                guard acceptsUnreadable, isList else { throw error }
                return [content]
            }
        }
        lists[path] = found
        return found
    }

    /// Returns the stapled OCSP response of a file in DER.
    func stapledResponse(_ path: String) throws(PolicyFailure) -> [UInt8] {
        if let found = staples[path] { return found }
        let response = try parsed(path, as: "an OCSP response in DER") { content in
            do throws(CryptoFailure) {
                try StapledResponse(der: content).check()
            } catch {
                // A file in PEM is the wrong file, and no response that a server sent.
                guard acceptsUnreadable, PEM.blocks(in: content).isEmpty else { throw error }
            }
            return content
        }
        staples[path] = response
        return response
    }

    /// Returns the certificate timestamps of a file (RFC 6962 §3.3).
    func timestamps(_ path: String) throws(PolicyFailure) -> [UInt8] {
        try parsed(path, as: "certificate timestamps") { $0 }
    }

    /// Reads a file; the reason of a failure is told only for a file that the user names.
    private func parsed<Value>(
        _ path: String,
        as expected: StaticString,
        _ parse: ([UInt8]) throws -> Value
    ) throws(PolicyFailure) -> Value {
        if let named {
            return try named.parsed(path, as: expected, limit: NamedFiles.evidenceBytes, parse)
        }
        let content = try PolicyFailure.wrapping {
            try InputFile.content(of: path, limit: NamedFiles.evidenceBytes)
        }
        return try PolicyFailure.wrapping("\(path)") { try parse(content) }
    }
}
