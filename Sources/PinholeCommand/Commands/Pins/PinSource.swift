import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession

/// Reads pins from a server, or from a file with certificates or keys.
struct PinSource: Sendable {
    /// The host of the pins, if the source does not name one.
    let host: Host?
    /// The passphrase of PKCS#12 files.
    let passphrase: String
    /// The addresses that are used instead of the resolver's answers.
    let overrides: [Resolver.Override]

    /// The extensions of files with certificates and keys.
    ///
    /// Only “pub” is also a top-level domain, and a user who misspells `backup.pub` does not want a connection to a
    /// server.
    private static let endings: Set = [
        "pem", "der", "crt", "cer", "cert", "key", "pub", "p12", "pfx", "p7b",
    ]

    /// Reads one argument.
    ///
    /// - Parameter argument: A URL, the name of a file, or a host if there is no such file.
    /// - Returns: The keys, leaf first, and the fault of a server's chain.
    /// - Throws: ``CommandFailure`` if nothing is found.
    func read(_ argument: String) async throws(CommandFailure) -> (keys: [PinnedKey], fault: String?) {
        if let scheme = argument.firstRange(of: "://") {
            return try await server(argument, authority: argument[scheme.upperBound...])
        }
        guard access(argument, F_OK) != 0, let authority = Self.host(argument) else {
            return (try file(argument), nil)
        }
        do throws(CommandFailure) {
            return try await ask(authority, source: "https://\(authority.text(defaultPort: 443))")
        } catch {
            throw CommandFailure(
                error.status,
                "\(error.message); there is no file “\(argument)” either",
                remedy: error.remedy
            )
        }
    }

    /// Returns the authority if a text looks like a host: an address, localhost, or a name with a dot or a port.
    private static func host(_ argument: String) -> Authority? {
        let ending = argument.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let authority = try? Authority(InternationalName.ascii(argument), defaultPort: 443),
            argument.contains(":") || argument.contains(".") && !endings.contains(ending)
                || authority.host.name == "localhost"
        else { return nil }
        return authority
    }

    private func server(
        _ url: String,
        authority text: Substring
    ) async throws(CommandFailure) -> (keys: [PinnedKey], fault: String?) {
        guard url.lowercased().hasPrefix("https://") else {
            throw CommandFailure.usage("expected https://host[:port], host[:port] or a file, found “\(url)”")
        }
        let authority: Authority
        do throws(AddressFailure) {
            let name = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            authority = try Authority(InternationalName.ascii(String(name)), defaultPort: 443)
        } catch {
            throw CommandFailure(.usage, "“\(url)”: expected \(error.expected)")
        }
        return try await ask(authority, source: url)
    }

    private func ask(
        _ authority: Authority,
        source url: String
    ) async throws(CommandFailure) -> (keys: [PinnedKey], fault: String?) {
        do {
            let trust = try TrustAnchors(system: true, additional: [])
            let progress = ProgressLine.waiting("waiting for \(authority)")
            defer { progress.end() }
            let finding = try await ServerProbe(overrides: overrides, trust: trust).look(at: authority)
            let verification = finding.verification
            // The verified path contains the root, which servers omit; without one, the presented chain is used.
            let chain = verification.fault == nil ? verification.validated : verification.presented
            let keys = Self.keys(of: chain, isPresented: true, source: url, host: authority.host).map { key in
                var key = key
                key.port = authority.port
                return key
            }
            return (keys, verification.fault?.description)
        } catch {
            throw CommandFailure("no pins of \(url): \(error)")
        }
    }

    private func file(_ path: String) throws(CommandFailure) -> [PinnedKey] {
        let bytes = try CommandFailure.wrapping { try InputFile.content(of: path) }
        do throws(CryptoFailure) {
            return try keys(in: bytes, path)
        } catch {
            throw CommandFailure(
                "no pins in \(path): \(error)",
                remedy: "name a certificate or key in PEM or DER, or a PKCS#12 file with --passphrase-file"
            )
        }
    }

    private func keys(in bytes: [UInt8], _ path: String) throws(CryptoFailure) -> [PinnedKey] {
        guard bytes.first == 0x30 else {
            let blocks = PEM.blocks(in: bytes)
            let keys = try PublicKey.keys(in: blocks).map { PinnedKey($0, source: path, host: host) }
            let labels = ["CERTIFICATE", "X509 CERTIFICATE"]
            guard keys.isEmpty || blocks.contains(where: { labels.contains($0.label) }) else { return keys }
            let certificates = try Certificate.parse(bytes)
            let chain = Self.keys(of: certificates, isPresented: false, source: path, host: host)
            // The key that belongs to a certificate of the file is not listed again.
            return chain + keys.filter { key in !chain.contains { $0.spkiSHA256 == key.spkiSHA256 } }
        }
        if let shape = DERShape(bytes), shape.isTruncated { throw shape.truncation }
        if let certificate = try? Certificate(der: bytes) {
            return Self.keys(of: [certificate], isPresented: false, source: path, host: host)
        }
        if let key = try? PublicKey(der: bytes) { return [PinnedKey(key, source: path, host: host)] }
        switch DERShape(bytes)?.kind {
        case .certificate: _ = try Certificate(der: bytes)
        case .publicKey: _ = try PublicKey(der: bytes)
        case .pkcs12:
            let identity = try Identity(pkcs12: bytes, passphrase: passphrase)
            return Self.keys(of: identity.chain, isPresented: true, source: path, host: host)
        default: break
        }
        throw CryptoFailure("it begins as DER does, and is not a certificate, public key or PKCS#12 file")
    }

    private static func keys(
        of chain: [Certificate],
        isPresented: Bool,
        source: String,
        host: Host?
    ) -> [PinnedKey] {
        chain.enumerated().map { place, certificate in
            PinnedKey(
                certificate,
                place: place,
                of: chain.count,
                isPresented: isPresented,
                source: source,
                host: host
            )
        }
    }
}
