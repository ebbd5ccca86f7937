package import PinholeCrypto
package import PinholeModel
package import PinholeProxy
import PinholeRuntime
package import PinholeTrust

extension Configuration {
    /// The sections `tls.client` and `tls.server`: the TLS versions for one side.
    package struct Versions: Sendable, Equatable {
        /// The oldest version that is spoken.
        package var minimum = TLSVersion.tls12
        var maximum = TLSVersion.tls13
    }

    /// A client certificate with the hosts that receive it.
    package struct ClientCertificate: Sendable, Equatable {
        /// The hosts that receive the certificate.
        package var hosts: [HostPattern]
        /// The path of a file in PEM with certificate and key, or in PKCS#12.
        package var file: String
        /// The passphrase of the key; `nil` if the key is not encrypted, or a file has the passphrase.
        package var passphrase: String?
        /// The path of a file whose first line is the passphrase.
        package var passphraseFile: String?

        /// Creates an entry.
        package init(
            hosts: [HostPattern],
            file: String,
            passphrase: String? = nil,
            passphraseFile: String? = nil
        ) {
            self.hosts = hosts
            self.file = file
            self.passphrase = passphrase
            self.passphraseFile = passphraseFile
        }
    }

    /// The section `tls`: both sides of a tunnel.
    package struct TLS: Sendable {
        /// The versions toward clients.
        package var client = Versions()
        /// The versions toward servers.
        package var server = Versions()
        /// Files in PEM with CAs that servers may use besides those of the system.
        package var upstreamCAs: [String] = []
        /// The library by whose rules servers are verified.
        package var verifier = VerifierProfile.Name.openssl
        /// The treatment of a server whose certificate is bad.
        package var badCertificate = ServerPolicy.BadCertificate.refuse
        /// The servers whose bad certificates are accepted, each with a reason.
        package var exemptions: [ServerPolicy.Exemption] = []
        /// Patterns of the hosts that are relayed without decryption.
        package var passthrough: [String] = []
        /// The client certificates for servers that ask for one.
        package var clientCertificates: [ClientCertificate] = []
    }
}

extension Configuration.TLS {
    /// Makes the verifier of servers; `nil` for OpenSSL's own.
    ///
    /// - Throws: ``CryptoFailure`` when a file with CAs cannot be read.
    func serverVerifier() throws(CryptoFailure) -> ServerVerifier? {
        guard verifier != .openssl else { return nil }
        let path = ProcessEnvironment.variables["SSL_CERT_FILE"] ?? TrustBundle.systemPath
        return try ServerVerifier(.named(verifier), systemAnd: upstreamCAs, systemPath: path) {
            LoopClock().now()
        }
    }

    static var section: ConfigurationSection {
        ConfigurationSection("tls", "TLS with clients and servers", keys) {
            (configuration, path) throws(DocumentFailure) in
            try configuration.tls.client.check("\(path).client")
            try configuration.tls.server.check("\(path).server")
        }
    }

    private static var keys: [ConfigurationKey] {
        [
            .choice(
                "client.minimum",
                \.tls.client.minimum,
                "The oldest TLS version with clients. Versions below 1.2 are broken, and OpenSSL 3 disables them",
                harm: .none("no version is older than TLS 1.2")
            ),
            .choice(
                "client.maximum",
                \.tls.client.maximum,
                "The newest TLS version with clients",
                harm: .none("no version is older than TLS 1.2")
            ),
            .choice(
                "server.minimum",
                \.tls.server.minimum,
                "The oldest TLS version with servers",
                harm: .none("no version is older than TLS 1.2")
            ),
            .choice(
                "server.maximum",
                \.tls.server.maximum,
                "The newest TLS version with servers",
                harm: .none("no version is older than TLS 1.2")
            ),
            .list(
                "upstreamCAs",
                \.tls.upstreamCAs,
                DocumentValue.word,
                "Files with CAs that are trusted for servers, in addition to the system's. Pinhole's own CA is never "
                    + "among them",
                harm: .confirmed("servers are accepted that would otherwise be refused") {
                    (configuration, key) in
                    configuration.tls.upstreamCAs.map { "trusts the CAs in \($0) for servers (\(key))" }
                }
            ),
            .choice(
                "verifier",
                \.tls.verifier,
                "The platform by whose rules servers are verified ([JUDGE.md](JUDGE.md#verifiers)), so that the proxy "
                    + "refuses what an app there would refuse",
                harm: .confirmed(
                    "servers are accepted or refused by the rules of another platform",
                    values: "other than `openssl`"
                ) { (configuration, key) in
                    configuration.tls.verifier == .openssl
                        ? []
                        : ["accepts servers by the rules of \(configuration.tls.verifier.rawValue) (\(key))"]
                }
            ),
            .choice(
                "badCertificate",
                \.tls.badCertificate,
                "`\"refuse\"`: the client gets a page that says what is wrong. `\"mirror\"`: the proxy forges the same "
                    + "fault, so that the client's own checks meet it",
                harm: .confirmed(
                    "servers are accepted that would otherwise be refused",
                    values: "other than `refuse`"
                ) { (configuration, key) in
                    configuration.tls.badCertificate == .refuse
                        ? [] : ["goes on with servers whose certificates are bad (\(key))"]
                }
            ),
            .value(
                "exemptions",
                \.tls.exemptions,
                usual: "[]",
                exemptions,
                "`{\"hosts\": [\"old.example.test\"], \"reason\": \"replaced in May\"}`: hosts whose certificate is "
                    + "accepted, whatever it is. The reason is required, and recorded with every flow",
                harm: .confirmed("servers are accepted that would otherwise be refused") {
                    (configuration, key) in
                    configuration.tls.exemptions.map { "accepts bad certificates of \($0.pattern) (\(key))" }
                }
            ),
            .list(
                "passthrough",
                \.tls.passthrough,
                DocumentValue.parsed(hostRule),
                "Hosts whose connections are relayed untouched: `[\"*.bank.example\", \"!test.bank.example\"]`",
                harm: .none("clients speak with their servers themselves")
            ),
            .list(
                "clientCertificates",
                \.tls.clientCertificates,
                Configuration.ClientCertificate.init,
                "`{\"hosts\": […], \"file\": \"me.p12\", \"passphraseFile\": \"me.txt\"}`: the certificate to present "
                    + "when a server asks for one. PEM (certificate and key in one file) or PKCS#12; `passphrase` may "
                    + "hold the passphrase itself",
                harm: .confirmed("servers get a proof of the user's identity") { (configuration, key) in
                    configuration.tls.clientCertificates.map { certificate in
                        let hosts = certificate.hosts.map { "\($0)" }.joined(separator: ", ")
                        return "presents the certificate in \(certificate.file) to \(hosts) (\(key))"
                    }
                }
            ),
        ]
    }

    private static func exemptions(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [ServerPolicy.Exemption] {
        try DocumentValue.list(group)(value, path).flatMap(\.self)
    }

    private static func group(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [ServerPolicy.Exemption] {
        var object = try DocumentObject(value, path: path)
        let hosts = try object.require("hosts", DocumentValue.hosts)
        // The reason is required, so that a later reader knows whether an exemption can be removed.
        let reason = try object.require("reason", DocumentValue.word)
        try object.finish()
        return hosts.map { ServerPolicy.Exemption(pattern: $0, reason: reason) }
    }

    private static func hostRule(_ text: String) throws(AddressFailure) -> String {
        let text = InternationalName.ascii(text)
        _ = try HostRules([text])
        return text
    }

    /// Changes every path of a file.
    mutating func changePaths(_ resolve: (String) -> String) {
        upstreamCAs = upstreamCAs.map(resolve)
        for index in clientCertificates.indices {
            clientCertificates[index].file = resolve(clientCertificates[index].file)
            clientCertificates[index].passphraseFile = clientCertificates[index].passphraseFile.map(resolve)
        }
    }
}

extension Configuration.Versions {
    fileprivate func check(_ path: String) throws(DocumentFailure) {
        guard minimum <= maximum else {
            throw DocumentFailure(
                path: "\(path).maximum",
                expected: "at least \(path).minimum, “\(minimum.rawValue)”",
                found: "“\(maximum.rawValue)”"
            )
        }
    }
}

extension Configuration.ClientCertificate {
    fileprivate init(_ value: JSONValue, _ path: String) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        hosts = try object.require("hosts", DocumentValue.hosts)
        file = try object.require("file", DocumentValue.word)
        try object.read(
            "passphrase",
            into: &passphrase,
            DocumentValue.optional(DocumentValue.string)
        )
        try object.read(
            "passphraseFile",
            into: &passphraseFile,
            DocumentValue.optional(DocumentValue.word)
        )
        try object.finish()
        guard passphrase == nil || passphraseFile == nil else {
            throw DocumentFailure(path: path, expected: "passphrase or passphraseFile", found: "both")
        }
    }
}

extension DocumentValue {
    /// Reads a list of host patterns with at least one element.
    fileprivate static func hosts(
        _ value: JSONValue,
        _ path: String
    ) throws(DocumentFailure) -> [HostPattern] {
        let pattern = parsed { (text) throws(AddressFailure) in try HostPattern(InternationalName.ascii(text))
        }
        let hosts = try list(pattern)(value, path)
        guard !hosts.isEmpty else {
            throw DocumentFailure(
                path: path,
                expected: "at least one host pattern",
                found: "an empty list"
            )
        }
        return hosts
    }
}
