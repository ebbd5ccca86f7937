import Glibc
import PinholeFiles
import PinholeModel
package import PinholeTrust

/// A file of trusted certificates.
///
/// Entries that cannot be read are skipped.
package struct TrustBundle: Sendable {
    /// An entry that could not be read.
    package struct Skipped: Equatable, Sendable {
        /// The line of its BEGIN mark.
        package let line: Int
        /// The reason why the entry could not be read.
        package let reason: String
    }

    /// The certificates, without duplicates.
    package private(set) var certificates: [Certificate] = []
    /// The entries that could not be read.
    package private(set) var skipped: [Skipped] = []

    /// The paths at which distributions keep the system's bundle, most common first.
    package static let systemPaths = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo, Alpine
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
        "/etc/pki/tls/certs/ca-bundle.crt",  // RHEL 6
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/pki/tls/cacert.pem",  // OpenELEC
        "/etc/ssl/cert.pem",  // Alpine, OpenBSD
    ]

    /// The path of this system's bundle; `nil` if none of ``systemPaths`` can be read.
    package static var systemPath: String? { systemPaths.first { access($0, R_OK) == 0 } }

    /// The CAs of this system, from the places where OpenSSL looks for them.
    ///
    /// The list is empty if they cannot be read; they are read only once.
    package static let systemRoots: [CertificateFacts] = {
        let chosen = getenv("SSL_CERT_FILE").map { String(cString: $0) }
        guard let path = chosen ?? systemPath, let bundle = try? TrustBundle(path: path) else { return [] }
        return bundle.certificates.map(\.facts)
    }()

    /// Reads a text of PEM blocks.
    ///
    /// Damaged certificates are skipped and noted; other kinds of block are ignored.
    package init(pem: [UInt8]) {
        var seen: Set<Certificate> = []
        for block in PEM.blocks(in: pem) where block.isCertificate {
            do throws(CryptoFailure) {
                let certificate = try Certificate(block: block)
                if seen.insert(certificate).inserted { certificates.append(certificate) }
            } catch {
                skipped.append(Skipped(line: block.line, reason: error.description))
            }
        }
    }

    /// Reads a file of PEM blocks, or one certificate in DER.
    ///
    /// - Throws: ``CryptoFailure`` when the file cannot be read or holds no certificate at all.
    package init(path: String) throws(CryptoFailure) {
        let bytes = try CryptoFailure.wrapping("could not read \(path)") {
            try File.content(of: path, upTo: Self.largestFile + 1)
        }
        guard bytes.count <= Self.largestFile else {
            throw CryptoFailure("\(path) is larger than 64 MiB; expected certificates in PEM")
        }
        self.init(pem: bytes)
        guard certificates.isEmpty else { return }
        do {
            certificates = try Certificate.parse(bytes)
            skipped = []
        } catch {
            throw error.adding(path)
        }
    }

    /// The largest file that is read.
    ///
    /// The bundles of distributions have about 250 KiB.
    private static let largestFile = 64 * 1024 * 1024
}
