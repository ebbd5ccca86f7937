import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeTrust

/// Where pins come from: a server, or a file with certificates or keys.
struct PinSource: Sendable {
    /// The host that the pins are for, where the source does not say.
    let host: Host?
    /// The passphrase of PKCS#12 files.
    let passphrase: String
    /// Answers that are given instead of asking the resolver.
    let overrides: [Resolver.Override]

    /// Reads one argument.
    ///
    /// - Parameter argument: A URL, or the name of a file.
    /// - Returns: The keys, leaf first; and what is wrong with a server's chain.
    /// - Throws: ``CommandFailure`` when nothing is found.
    func read(_ argument: String) async throws(CommandFailure) -> (keys: [PinnedKey], fault: String?) {
        if let scheme = argument.firstRange(of: "://") {
            return try await server(argument, authority: argument[scheme.upperBound...])
        }
        return (try file(argument), nil)
    }

    private func server(
        _ url: String,
        authority text: Substring
    ) async throws(CommandFailure) -> (keys: [PinnedKey], fault: String?) {
        guard url.lowercased().hasPrefix("https://") else {
            throw CommandFailure(.usage, "expected https://host[:port] or a file, found “\(url)”")
        }
        let authority: Authority
        do throws(AddressFailure) {
            let name = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            authority = try Authority(InternationalName.ascii(String(name)), defaultPort: 443)
        } catch {
            throw CommandFailure(.usage, "“\(url)”: expected \(error.expected)")
        }
        do {
            let trust = try TrustAnchors(system: true, additional: [])
            let finding = try await ServerProbe(overrides: overrides, trust: trust).look(at: authority)
            let verification = finding.verification
            // The path that was verified, with the root, which servers leave out; else what was sent.
            let chain = verification.fault == nil ? verification.validated : verification.presented
            return (
                chain.map { PinnedKey($0, source: url, host: authority.host) },
                verification.fault?.description
            )
        } catch {
            throw CommandFailure(.couldNotRun, "no pins of \(url): \(error)")
        }
    }

    private func file(_ path: String) throws(CommandFailure) -> [PinnedKey] {
        let bytes: [UInt8]
        do throws(PolicyFailure) {
            bytes = try PolicyFile.content(of: path)
        } catch {
            throw CommandFailure(.couldNotRun, error.description)
        }
        do throws(CryptoFailure) {
            return try keys(in: bytes, path)
        } catch {
            throw CommandFailure(
                .couldNotRun,
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
            let chain = try Certificate.parse(bytes).map { PinnedKey($0, source: path, host: host) }
            // The key of a certificate beside it is no key of its own.
            return chain + keys.filter { key in !chain.contains { $0.spkiSHA256 == key.spkiSHA256 } }
        }
        if let certificate = try? Certificate(der: bytes) {
            return [PinnedKey(certificate, source: path, host: host)]
        }
        if let key = try? PublicKey(der: bytes) { return [PinnedKey(key, source: path, host: host)] }
        let identity = try Identity(pkcs12: bytes, passphrase: passphrase)
        return identity.chain.map { PinnedKey($0, source: path, host: host) }
    }
}
