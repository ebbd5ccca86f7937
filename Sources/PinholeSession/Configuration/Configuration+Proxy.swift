import Glibc
import PinholeCrypto
import PinholeFiles
package import PinholeModel
package import PinholeProxy
package import PinholeRuntime

extension Configuration {
    /// The section `proxy`: the listening addresses, and the clients that may connect.
    package struct Proxy: Sendable {
        /// The addresses on which the proxy listens, with their modes.
        package var listen = [IPAddress.loopback]
            .map { ListeningPoint(SocketAddress($0, port: 8080)) }
        /// The networks whose clients may connect; empty for every client that reaches the listener.
        package var clients: [AddressRange] = []
        /// The user name and password of the one user; `nil` for none.
        package var credentials: Credentials?
        /// The path of a file in the format of `htpasswd`.
        package var users: String?
        /// The certificates that listeners in the place of a server present.
        package var certificates: [ListenerCertificate] = []

        /// Creates the defaults.
        package init() {}
    }

    /// The certificate with chain and key that a listener presents to its clients.
    package struct ListenerCertificate: Sendable, Equatable {
        /// The path of a PEM file, with or without the key, or of a PKCS#12 file.
        package var file: String
        /// The path of a PEM file with the key; `nil` if the key is in the other file.
        package var keyFile: String?
        /// The passphrase of the key; `nil` if the key is not encrypted, or a file has the passphrase.
        package var passphrase: String?
        /// The path of a file whose first line is the passphrase.
        package var passphraseFile: String?

        /// Creates an entry.
        package init(file: String, keyFile: String? = nil, passphrase: String? = nil) {
            self.file = file
            self.keyFile = keyFile
            self.passphrase = passphrase
        }
    }

    /// The user name and password of one user of the proxy.
    package enum Credentials: Sendable, Equatable {
        /// The text `user:password`.
        case literal(String)
        /// The path of a file whose first line is `user:password`.
        case file(String)

        /// Parses `user:password` or `@file`.
        package init(_ text: String) throws(AddressFailure) {
            if text.hasPrefix("@"), text.count > 1 {
                self = .file(String(text.dropFirst()))
            } else if text.contains(":"), !text.hasPrefix(":") {
                self = .literal(text)
            } else {
                // The text may be a password, so the message does not repeat it.
                throw AddressFailure("…", expected: "USER:PASSWORD or @FILE")
            }
        }

        /// Returns the credentials of the environment variable `name`; `nil` if it is unset or empty.
        package static func inEnvironment(_ name: String) throws(CommandFailure) -> Credentials? {
            guard let text = ProcessEnvironment.variables[name], !text.isEmpty else { return nil }
            do throws(AddressFailure) {
                return try Credentials(text)
            } catch {
                throw CommandFailure(.usage, "\(name): expected \(error.expected)")
            }
        }
    }
}

extension Configuration.Proxy {
    static var section: ConfigurationSection {
        ConfigurationSection("proxy", "the listeners, and who may use them", keys)
    }

    private static var keys: [ConfigurationKey] {
        [
            .value(
                "listen",
                \.proxy.listen,
                usual: "[\(Self().listen.map { "\"\($0)\"" }.joined(separator: ", "))]",
                points,
                "Addresses with ports, IPv6 in brackets; a port alone is one of 127.0.0.1, and port 0 lets the kernel choose. The default is loopback, because "
                    + "anybody who reaches the proxy can use it. The same port accepts TLS to the proxy (docs/INSIDE.md#to-the-proxy-itself) "
                    + "and SOCKS (docs/LISTENERS.md#socks). A mode and `@` before the address make a listener of another kind, "
                    + "as in `\"transparent@127.0.0.1:7070\"`: \(modes) (docs/LISTENERS.md)",
                harm: .confirmed(
                    "other machines can reach a listener, or a listener leads to a server by itself",
                    values: "beyond loopback, or with a mode"
                ) { (configuration, key) in
                    configuration.proxy.listen.compactMap { point in
                        if point.address.isReachableFromOutside {
                            return "listens on \(point), which other machines can reach (\(key))"
                        }
                        return point.mode.isProxy
                            ? nil
                            : "leads programs that connect to \(point.address) elsewhere: \(point) (\(key))"
                    }
                }
            ),
            .list(
                "clients",
                \.proxy.clients,
                DocumentValue.parsed(AddressRange.init),
                "Networks (`192.168.1.0/24`) or addresses that may use the proxy; empty for everybody who reaches it",
                harm: .confirmed("these machines may use a listener that they reach") {
                    (configuration, key) in
                    let clients = configuration.proxy.clients.map(\.description).joined(separator: ", ")
                    return clients.isEmpty ? [] : ["lets \(clients) use the proxy (\(key))"]
                }
            ),
            .optional(
                "credentials",
                \.proxy.credentials,
                DocumentValue.parsed(Configuration.Credentials.init),
                "`\"user:password\"`, or `\"@file\"`, whose first line has it. HTTP clients send it as Basic "
                    + "authentication, SOCKS5 clients as user name and password. Compared in constant time",
                harm: .confirmed("everybody who knows the password may use a listener that they reach") {
                    (configuration, key) in
                    configuration.proxy.credentials == nil
                        ? [] : ["lets everybody who knows its password use the proxy (\(key))"]
                }
            ),
            .optional(
                "users",
                \.proxy.users,
                DocumentValue.word,
                "A file of users in the format of `htpasswd`, beside `credentials` or instead of it. The capture tells "
                    + "the users apart (docs/LISTENERS.md#who-may-use-the-proxy)",
                harm: .confirmed("everybody in that file may use a listener that they reach") {
                    (configuration, key) in
                    configuration.proxy.users.map { ["lets the users in \($0) use the proxy (\(key))"] } ?? []
                }
            ),
            .list(
                "certificates",
                \.proxy.certificates,
                Configuration.ListenerCertificate.init,
                "Certificates that listeners before a server present instead of leaves of the CA, each as "
                    + "`{\"file\", \"keyFile\", \"passphrase\", \"passphraseFile\"}` (docs/LISTENERS.md#before-a-server)",
                harm: .confirmed("clients of a listener before a server get another certificate") {
                    (configuration, key) in
                    configuration.proxy.certificates.map {
                        "presents the certificate in \($0.file) to clients (\(key))"
                    }
                }
            ),
        ]
    }

    private static var modes: String {
        let modes = ListenerMode.forms.map { form in
            "\(form.texts.map { "`\($0)`" }.joined(separator: " or ")) \(form.purpose)"
        }
        return modes.joined(separator: ", ")
    }

    private static func points(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> [ListeningPoint]
    {
        let points = try DocumentValue.list(DocumentValue.parsed(ListeningPoint.init(_:)))(value, path)
        guard !points.isEmpty else {
            throw DocumentFailure(path: path, expected: "at least one address", found: "an empty list")
        }
        return points
    }

    /// Changes every path of a file.
    mutating func changePaths(_ resolve: (String) -> String) {
        credentials?.changePath(resolve)
        users = users.map(resolve)
        for index in certificates.indices {
            certificates[index].file = resolve(certificates[index].file)
            certificates[index].keyFile = certificates[index].keyFile.map(resolve)
            certificates[index].passphraseFile = certificates[index].passphraseFile.map(resolve)
        }
    }
}

extension Configuration.ListenerCertificate {
    fileprivate init(_ value: JSONValue, _ path: String) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        file = try object.require("file", DocumentValue.word)
        try object.read("keyFile", into: &keyFile, DocumentValue.optional(DocumentValue.word))
        try object.read("passphrase", into: &passphrase, DocumentValue.optional(DocumentValue.string))
        try object.read("passphraseFile", into: &passphraseFile, DocumentValue.optional(DocumentValue.word))
        try object.finish()
        guard passphrase == nil || passphraseFile == nil else {
            throw DocumentFailure(path: path, expected: "passphrase or passphraseFile", found: "both")
        }
    }
}

extension Configuration.Credentials {
    /// Changes the path of the file, if there is one.
    mutating func changePath(_ resolve: (String) -> String) {
        if case .file(let path) = self { self = .file(resolve(path)) }
    }
}

extension Configuration.Proxy {
    /// Applies the section to the policy of a proxy.
    ///
    /// - Throws: ``CommandFailure`` if a file that the section names cannot be used.
    func apply(to policy: inout ProxyPolicy) throws(CommandFailure) {
        policy.access = try access()
        policy.given = try identities()
    }

    /// Returns the rules for who may use the proxy.
    ///
    /// - Throws: ``CommandFailure`` if a file with a password or with users cannot be used.
    func access() throws(CommandFailure) -> AccessRules {
        AccessRules(
            clients: clients,
            credentials: try knownCredentials?.text(for: "the proxy's credentials"),
            users: try book()
        )
    }

    /// Returns the certificates that listeners in the place of a server present.
    ///
    /// - Throws: ``CommandFailure`` if a file with a certificate cannot be used.
    func identities() throws(CommandFailure) -> GivenIdentities {
        var identities: [Identity] = []
        for certificate in certificates { identities.append(try certificate.identity()) }
        return GivenIdentities(identities)
    }

    /// Returns the users that may use the proxy; `nil` if no file names them.
    private func book() throws(CommandFailure) -> UserDirectory? {
        guard let path = users else { return nil }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // Opening a pipe would block, also at each reload.
            throw CommandFailure("no users of the proxy: \(path) is not a regular file")
        }
        let content: [UInt8]
        do throws(InputFailure) {
            content = try InputFile.content(of: path, limit: 1 << 20)
        } catch {
            let exists = File.exists(at: path)
            throw CommandFailure(
                "no users of the proxy: \(error)",
                remedy: exists ? nil : "htpasswd -cB \(path) USER"
            )
        }
        do throws(UserDirectory.Failure) {
            return try UserDirectory(content)
        } catch {
            throw CommandFailure(Plain.printable("\(path): \(error)"))
        }
    }
}

extension Configuration.Credentials {
    /// Returns `user:password`, from its file if it is in one.
    ///
    /// - Parameter purpose: The purpose of the credentials, for messages.
    /// - Returns: The text.
    /// - Throws: ``CommandFailure`` if the file cannot be read, or has other content.
    package func text(for purpose: String) throws(CommandFailure) -> String {
        switch self {
        case .literal(let text): return text
        case .file(let path):
            let content = try TextFile.firstLine(path, for: purpose)
            guard content.contains(":"), !content.hasPrefix(":") else {
                throw CommandFailure("\(path): expected USER:PASSWORD in the first line")
            }
            return content
        }
    }

    /// Returns the user name and the password.
    ///
    /// - Parameter purpose: The purpose of the credentials, for messages.
    /// - Returns: The user name and the password.
    /// - Throws: ``CommandFailure`` as ``text(for:)`` does.
    package func login(for purpose: String) throws(CommandFailure) -> (user: String, password: String) {
        let text = try text(for: purpose)
        let user = text.prefix { $0 != ":" }
        return (String(user), String(text.dropFirst(user.count + 1)))
    }
}

extension Configuration.Proxy {
    /// The credentials that are known in plain text.
    ///
    /// If only a file of users exists, the proxy creates credentials of its own, with which its console sends requests.
    package var knownCredentials: Configuration.Credentials? {
        credentials ?? (users == nil ? nil : Self.ownCredentials)
    }

    private static let ownCredentials = Configuration.Credentials.literal(
        "pinhole:" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    )
}
