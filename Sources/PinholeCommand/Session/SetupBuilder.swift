import Foundation
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// Turns a configuration into what tunnels begin with.
struct SetupBuilder {
    let configuration: Configuration
    let keyLog: KeyLog?

    /// Makes a setup.
    ///
    /// - Parameter minter: What makes the leaves; a reload keeps it, and the leaves that it remembers.
    /// - Returns: The setup.
    /// - Throws: ``CommandFailure`` when a file that the configuration names cannot be used.
    func setup(minter: LeafMinter) throws(CommandFailure) -> ProxySetup {
        do {
            return ProxySetup(
                policy: try policy(minter.authority),
                environment: try environment(minter.authority),
                minter: minter
            )
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.couldNotRun, "\(error)")
        }
    }

    private func policy(_ authority: CertificateAuthority) throws -> ProxyPolicy {
        ProxyPolicy(
            interception: try interception(authority),
            access: AccessRules(clients: configuration.proxy.clients, credentials: try credentials()),
            servers: ServerPolicy(
                badCertificate: configuration.tls.badCertificate,
                exemptions: configuration.tls.exemptions
            ),
            limits: configuration.limits,
            onboarding: try Onboarding(authority)
        )
    }

    /// Which hosts are intercepted.
    func interception(_ authority: CertificateAuthority?) throws(AddressFailure) -> InterceptionRules {
        InterceptionRules(passthrough: try HostRules(configuration.tls.passthrough)) { host in
            authority?.permits(host) ?? true
        }
    }

    private func credentials() throws(CommandFailure) -> String? {
        switch configuration.proxy.credentials {
        case nil: return nil
        case .literal(let text): return text
        case .file(let path):
            let content = try TextFile.firstLine(path, for: "the proxy's credentials")
            guard content.contains(":"), !content.hasPrefix(":") else {
                throw CommandFailure(.couldNotRun, "\(path): expected USER:PASSWORD in the first line")
            }
            return content
        }
    }

    private func environment(_ authority: CertificateAuthority) throws -> TunnelEnvironment {
        var additional: [Certificate] = []
        for path in configuration.tls.upstreamCAs {
            let bundle = try TrustBundle(path: path)
            additional += bundle.certificates
        }
        let anchors = try TrustAnchors(system: true, additional: additional)
        let server = configuration.tls.server
        let log = keyLog.map { keyLog in { @Sendable (line: String) in keyLog.append(line) } }
        let connecting = { (identity: Identity?) throws(CryptoFailure) in
            try TLSContext(
                connectingVersions: server.minimum...server.maximum,
                trust: anchors,
                clientIdentity: identity,
                keyLog: log
            )
        }
        var identities: [TunnelEnvironment.ClientIdentity] = []
        for entry in configuration.tls.clientCertificates {
            let context = try connecting(try entry.identity())
            identities += entry.hosts.map { TunnelEnvironment.ClientIdentity(pattern: $0, context: context) }
        }
        let client = configuration.tls.client
        return TunnelEnvironment(
            accepting: try TLSContext(acceptingVersions: client.minimum...client.maximum, keyLog: log),
            connecting: try connecting(nil),
            identities: identities,
            distrusted: authority.identity.chain.map(\.spkiSHA256)
        )
    }
}

extension Configuration.ClientCertificate {
    /// Reads the certificate and its key, from PEM or PKCS#12.
    func identity() throws(CommandFailure) -> Identity {
        guard let content = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(.couldNotRun, "could not read the client certificate \(file)")
        }
        do throws(CryptoFailure) {
            // DER begins with a SEQUENCE, PEM with text.
            if content.first == 0x30 {
                return try Identity(pkcs12: Array(content), passphrase: try secret() ?? "")
            }
            return try Identity(pem: String(decoding: content, as: UTF8.self))
        } catch {
            throw CommandFailure(
                .couldNotRun,
                "the client certificate \(file) cannot be used: \(error)",
                remedy: "PEM with certificate and key in one file, or PKCS#12 with its passphrase"
            )
        }
    }

    private func secret() throws(CryptoFailure) -> String? {
        guard let passphraseFile else { return passphrase }
        do throws(CommandFailure) {
            return try TextFile.firstLine(passphraseFile, for: "the passphrase of \(file)")
        } catch {
            throw CryptoFailure(error.message)
        }
    }
}

/// Small files of text, such as passphrases.
enum TextFile {
    /// The first line of the file at `path`.
    static func firstLine(_ path: String, for purpose: String) throws(CommandFailure) -> String {
        guard let content = FileManager.default.contents(atPath: path), content.count <= 1 << 16 else {
            throw CommandFailure(.couldNotRun, "could not read \(purpose) from \(path)")
        }
        let line = content.prefix { $0 != 0x0a && $0 != 0x0d }
        return String(decoding: line, as: UTF8.self)
    }
}
