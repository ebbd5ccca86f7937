import Glibc

/// A file of trusted certificates, read as far as it can be.
package struct TrustBundle: Sendable {
    /// An entry that could not be read.
    package struct Skipped: Equatable, Sendable {
        /// The line of its BEGIN mark.
        package let line: Int
        /// What is wrong with it.
        package let reason: String
    }

    /// The certificates, each once.
    package private(set) var certificates: [Certificate] = []
    /// The entries that could not be read.
    package private(set) var skipped: [Skipped] = []

    /// Where distributions keep the bundle of the system, most common first.
    package static let systemPaths = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo, Alpine
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
        "/etc/pki/tls/certs/ca-bundle.crt",  // RHEL 6
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/pki/tls/cacert.pem",  // OpenELEC
        "/etc/ssl/cert.pem",  // Alpine, OpenBSD
    ]

    /// The bundle of this system; `nil` where none of ``systemPaths`` can be read.
    package static var systemPath: String? { systemPaths.first { access($0, R_OK) == 0 } }

    /// Reads a text of PEM blocks; damaged ones are skipped and noted, other kinds ignored.
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
    /// - Parameter path: The file.
    /// - Throws: ``CryptoFailure`` when the file cannot be read or holds no certificate at all.
    package init(path: String) throws(CryptoFailure) {
        let bytes: [UInt8]
        do {
            bytes = try Descriptor(opening: path, flags: O_RDONLY).readAll(limit: Self.largestFile)
        } catch {
            throw CryptoFailure("could not read \(path): \(error)")
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

    /// The certificates in PEM, one after the other.
    package var pem: String { certificates.map(\.pem).joined() }

    /// A sentence about what was skipped; `nil` where nothing was.
    package var warning: String? {
        guard let first = skipped.first else { return nil }
        return
            "\(skipped.count) of \(skipped.count + certificates.count) entries skipped; the first: \(first.reason)"
    }

    /// The bundles of distributions have about 250 KiB.
    private static let largestFile = 64 * 1024 * 1024
}
