import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeTrust
import PinholeWire

/// A proxy that runs already, as those see it who use it.
struct RunningProxy {
    /// Where it listens.
    let address: Authority
    /// What it gets where it asks for a user name and a password; `nil` for nothing.
    let login: Credential?

    /// How long nothing may come.
    private static let patience = Duration.seconds(5)

    /// The CA that it says is its own, at the page that every Pinhole serves.
    ///
    /// - Returns: The certificate; `nil` where it asks for a password that is not known here.
    /// - Throws: ``CommandFailure`` when nobody answers, or somebody else.
    func root() async throws(CommandFailure) -> Certificate? {
        let response: ClientResponse
        let progress = ProgressLine.waiting("waiting for the proxy at \(address)")
        defer { progress.end() }
        do throws(ClientFailure) {
            var settings = ClientSettings(
                anchors: [],
                evaluator: ChainVerifier(),
                defaultPolicy: SystemPolicy()
            )
            settings.proxy = ClientSettings.Proxy(address, credential: login)
            settings.followsRedirects = false
            settings.bodyLimit = 1 << 20
            settings.wait(atMost: Self.patience)
            let client = try PinholeClient(settings)
            response = try await client.fetch(ClientURL("http://pinhole.test/pinhole-ca.der")).result.get()
        } catch {
            if error.code == .userAuthenticationRequired { return nil }
            throw CommandFailure(
                .couldNotRun,
                "no proxy answers at \(address): \(Plain.printable(error.detail))",
                remedy: "start it (pinhole proxy), or say where it listens: --proxy HOST:PORT"
            )
        }
        if response.head.status == 407 { return nil }
        guard response.head.status == 200, let root = try? Certificate(der: response.body) else {
            throw CommandFailure(
                .couldNotRun,
                "what answers at \(address) is no Pinhole: expected its CA at http://pinhole.test/, found status "
                    + "\(response.head.status)",
                remedy: "say where pinhole proxy listens: --proxy HOST:PORT"
            )
        }
        return root
    }

    /// The CA in a directory, which has to be the proxy's.
    ///
    /// What the proxy says alone is not enough: another user of this machine may listen in its place.
    ///
    /// - Parameter directory: Where the CA lies.
    /// - Returns: The CA, and whether the proxy asks for a password first, so that nothing could be compared.
    /// - Throws: ``CommandFailure`` when there is none, or the proxy has another one.
    func root(in directory: String) async throws(CommandFailure) -> (root: Certificate, isUnchecked: Bool) {
        let served = try await root()
        let root: Certificate
        do throws(AuthorityFailure) {
            root = try AuthorityDirectory(path: directory).root()
        } catch {
            throw CommandFailure(
                .couldNotRun,
                "\(error.problem), where the CA of the proxy at \(address) was looked for",
                remedy: "run it in the directory of pinhole proxy, or name that of its CA: --ca-dir DIR"
            )
        }
        guard let served else { return (root, true) }
        guard served == root else {
            throw CommandFailure(
                .couldNotRun,
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
    /// The proxy that a configuration describes.
    ///
    /// - Parameters:
    ///   - named: Where it listens; `nil` for what the configuration says.
    ///   - configuration: The configuration.
    /// - Throws: ``CommandFailure`` when it does not say where.
    init(_ named: Authority?, _ configuration: Configuration) throws(CommandFailure) {
        if let named { address = named } else { address = try Self.address(in: configuration.proxy) }
        let known = try configuration.proxy.credentials?.login(for: "the proxy's credentials")
        login = known.map { Credential(user: $0.user, password: $0.password) }
    }

    private static func address(in proxy: Configuration.Proxy) throws(CommandFailure) -> Authority {
        guard let address = address(of: proxy.listen), address.port != 0 else {
            throw CommandFailure(
                .usage,
                "the configuration does not say on which port a proxy listens",
                remedy: "--proxy HOST:PORT, as it stands in the line “listening on …”"
            )
        }
        return address
    }

    /// Where clients of this machine reach a proxy.
    ///
    /// - Parameter points: Where it listens.
    /// - Returns: The first of these that is for clients who know of a proxy; `nil` where none is.
    static func address(of points: [ListeningPoint]) -> Authority? {
        guard let point = points.first(where: { $0.mode == .explicit }) else { return nil }
        let own = point.address.address
        // What listens on every address is reached by loopback.
        guard own.isUnspecified, let loopback = IPAddress(own.isVersion6 ? "::1" : "127.0.0.1") else {
            return Authority(host: .address(own), port: point.address.port)
        }
        return Authority(host: .address(loopback), port: point.address.port)
    }
}
