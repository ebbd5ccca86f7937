import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeTrust
import PinholeWire

/// A running proxy, as its clients see it.
struct RunningProxy {
    /// The address of the proxy.
    let address: Authority
    /// The user name and password for a proxy that requires them; `nil` for none.
    let login: Credential?

    /// Whether the user named the address.
    private let isNamed: Bool

    /// The time without bytes after which a request fails.
    private static let patience = Duration.seconds(5)

    /// The answer to the question for the CA.
    private enum Answer {
        case root(Certificate)
        /// The proxy requires a password that is unknown here.
        case passwordRequired
        /// Nothing listens at the address.
        case nothing
    }

    /// Asks for the CA that the proxy offers on the page that every Pinhole serves.
    ///
    /// - Returns: The answer; if the user named the address, it is no ``Answer/nothing``.
    /// - Throws: ``CommandFailure`` if no proxy answers, or something other than Pinhole.
    private func ask() async throws(CommandFailure) -> Answer {
        let response: ClientResponse
        let progress = ProgressLine.waiting("waiting for the proxy at \(address)")
        defer { progress.end() }
        do throws(ClientFailure) {
            var settings = ClientSettings(ofPinholeWithin: Self.patience, bytes: 1 << 20)
            settings.proxy = ClientSettings.Proxy(address, credential: login)
            let client = try PinholeClient(settings)
            response = try await client.fetch(ClientURL("http://pinhole.test/pinhole-ca.der")).result.get()
        } catch {
            if error.code == .userAuthenticationRequired { return .passwordRequired }
            if error.code == .cannotConnectToHost, !isNamed { return .nothing }
            throw CommandFailure(
                "no proxy answers at \(address): \(Plain.printable(error.detail))",
                remedy: "start it (pinhole proxy), or say where it listens: --proxy HOST:PORT"
            )
        }
        if response.head.status == 407 { return .passwordRequired }
        guard response.head.status == 200, let root = try? Certificate(der: response.body) else {
            throw CommandFailure(
                "the server at \(address) is not Pinhole: expected its CA at http://pinhole.test/, found status "
                    + "\(response.head.status)",
                remedy: "say where pinhole proxy listens: --proxy HOST:PORT"
            )
        }
        return .root(root)
    }

    /// Returns the CA in a directory, after checking that it is the proxy's.
    ///
    /// The proxy's own word is not enough: another user of this machine may listen in its place.
    ///
    /// - Returns: The CA, and whether it could not be compared because the proxy requires a password; `nil` if nothing
    ///   listens at the address of the configuration.
    /// - Throws: ``CommandFailure`` if there is no CA, or the proxy has another one.
    func root(
        in directory: String
    ) async throws(CommandFailure) -> (root: Certificate, isUnchecked: Bool)? {
        let answer = try await ask()
        if case .nothing = answer { return nil }
        let root: Certificate
        do throws(AuthorityFailure) {
            root = try AuthorityDirectory(path: directory).root()
        } catch {
            throw CommandFailure(
                "\(error.problem), where the CA of the proxy at \(address) was looked for",
                remedy: "run it in the directory of pinhole proxy, or name that of its CA: --ca-dir DIR"
            )
        }
        guard case .root(let served) = answer else { return (root, true) }
        guard served == root else {
            throw CommandFailure(
                """
                the proxy at \(address) has another CA than \(directory)
                  the proxy's: SHA-256 \(Digest.text(served.fingerprintSHA256))
                  \(directory): SHA-256 \(Digest.text(root.fingerprintSHA256))
                """,
                remedy: "name the directory of the proxy's CA: --ca-dir DIR"
            )
        }
        return (root, false)
    }
}

extension RunningProxy {
    /// Finds the proxy that a configuration describes.
    ///
    /// - Parameters:
    ///   - named: The address of the proxy; `nil` for the address in the configuration.
    ///   - configuration: The configuration.
    /// - Throws: ``CommandFailure`` if the configuration has no suitable address.
    init(_ named: Authority?, _ configuration: Configuration) throws(CommandFailure) {
        isNamed = named != nil
        if let named { address = named } else { address = try Self.address(in: configuration.proxy) }
        let known = try configuration.proxy.credentials?.login(for: "the proxy's credentials")
        login = known.map { Credential(user: $0.user, password: $0.password) }
    }

    private static func address(in proxy: Configuration.Proxy) throws(CommandFailure) -> Authority {
        guard let address = ListeningPoint.address(of: proxy.listen), address.port != 0 else {
            throw CommandFailure.usage(
                "the configuration does not say on which port a proxy listens",
                remedy: "--proxy HOST:PORT, as it stands in the line “listening on …”"
            )
        }
        return address
    }
}
