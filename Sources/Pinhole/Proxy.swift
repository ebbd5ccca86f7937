import Logging
import PinholeCrypto
import PinholeFilter
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeStore

/// A proxy inside of your program, which decrypts what its clients send, asks ``Interceptor``s, and records.
///
/// ```swift
/// var options = Proxy.Options(authorityDirectory: "ca")
/// options.interceptors = [Marker()]
/// let proxy = try await Proxy.start(options)
/// // Clients use 127.0.0.1:proxy.port, and trust the CA in proxy.certificatePath.
/// await proxy.stop()
/// ```
public final class Proxy: Sendable {
    /// What a proxy is started with.
    public struct Options: Sendable {
        /// Where it listens: an address of this machine's loopback and a port, 0 for one that is free.
        public var listen = "127.0.0.1:0"
        /// The directory of its CA, which is made where there is none: whoever has its key can impersonate every server to
        /// programs that trust it.
        public var authorityDirectory: String
        /// The file in which exchanges are recorded; `nil` records nothing.
        public var capture: String?
        /// Files with CAs that servers may use beside the system's, in PEM.
        public var serverAuthorities: [String] = []
        /// Addresses of servers that are used without asking, as `HOST:PORT:ADDRESS`; `*` for any host or port.
        public var resolve: [String] = []
        /// Hosts that are relayed unread, as patterns such as `*.bank.example`.
        public var passthrough: [String] = []
        /// Who is asked about exchanges, in this order.
        public var interceptors: [any Interceptor] = []

        /// Creates options.
        ///
        /// - Parameter authorityDirectory: The directory of the CA.
        public init(authorityDirectory: String) { self.authorityDirectory = authorityDirectory }
    }

    /// The port on which it listens.
    public let port: UInt16
    /// The file with the certificate of the CA, in PEM, which clients have to trust.
    public let certificatePath: String
    /// The exchanges, as they end, for one reader.
    ///
    /// The newest 1,000 wait for it. It ends with the proxy.
    public var exchanges: AsyncStream<Exchange> { sink.exchanges }

    private let server: ProxyServer
    private let sink: ExchangeSink

    private init(_ server: ProxyServer, _ sink: ExchangeSink, port: UInt16, certificatePath: String) {
        self.server = server
        self.sink = sink
        self.port = port
        self.certificatePath = certificatePath
    }

    /// Starts a proxy; it listens when this returns.
    ///
    /// - Parameter options: What it is started with.
    /// - Returns: The proxy.
    /// - Throws: ``ProxyFailure`` that says what cannot be used.
    public static func start(_ options: Options) async throws(ProxyFailure) -> Proxy {
        do {
            return try await begin(options)
        } catch let failure as ProxyFailure {
            throw failure
        } catch {
            throw ProxyFailure("\(error)")
        }
    }

    /// Stops it: no client is taken any more, and exchanges that are under way have a second to end.
    public func stop() async {
        await server.drain(within: .seconds(1))
        server.stop()
        sink.close()
    }

    private static func begin(_ options: Options) async throws -> Proxy {
        let address = try loopback(options.listen)
        let directory = AuthorityDirectory(path: options.authorityDirectory)
        let now = LoopClock().now()
        let wanted = CertificateAuthority.Options(machineName: AuthorityDirectory.machineName)
        let authority: CertificateAuthority
        do throws(AuthorityFailure) {
            authority = try directory.loadOrCreate(wanted, now: now).authority
        } catch {
            throw ProxyFailure(error.problem + Remedy.clause(error.remedy))
        }
        let rules = try options.interceptors.enumerated().map { try Rule($1, number: $0) }
        let respondents = options.interceptors.enumerated().map { (String($0), InterceptorRespondent($1)) }
        let store = try options.capture.map {
            try CaptureStore.open(CaptureStore.Options(path: $0), now: now)
        }
        let sink = ExchangeSink(store)
        do {
            let server = try ProxyServer(
                setup: ProxySetup(
                    policy: try policy(options, authority, RuleBook(RuleSet(rules))),
                    environment: try environment(options, authority),
                    minter: LeafMinter(authority: authority)
                ),
                sink: sink,
                keepsBodies: store != nil,
                overrides: try options.resolve.map { try Resolver.Override($0) },
                interceptor: RuleWorker(respondents: Dictionary(uniqueKeysWithValues: respondents)),
                logger: Logger(label: "pinhole")
            )
            let bound = try await server.start(on: [address])
            return Proxy(
                server,
                sink,
                port: bound.first?.port ?? address.port,
                certificatePath: directory.certificatePath
            )
        } catch {
            sink.close()
            throw error
        }
    }

    private static func loopback(_ text: String) throws(ProxyFailure) -> SocketAddress {
        guard let address = try? SocketAddress(listening: text), !address.isReachableFromOutside else {
            throw ProxyFailure(
                "listen: expected a loopback address and a port such as 127.0.0.1:8080, found “\(text)”; whoever reaches the proxy can use it"
            )
        }
        return address
    }

    private static func policy(
        _ options: Options,
        _ authority: CertificateAuthority,
        _ rules: RuleBook
    ) throws -> ProxyPolicy {
        ProxyPolicy(
            interception: InterceptionRules(passthrough: try HostRules(options.passthrough)) { host in
                authority.permits(host)
            },
            onboarding: try Onboarding(authority),
            machineNames: MachineNames.all(),
            rules: rules
        )
    }

    private static func environment(
        _ options: Options,
        _ authority: CertificateAuthority
    ) throws -> TunnelEnvironment {
        TunnelEnvironment(
            accepting: try TLSContext(acceptingVersions: .tls12 ... .tls13),
            connecting: try TLSContext(
                connectingVersions: .tls12 ... .tls13,
                trust: TrustAnchors(systemAnd: options.serverAuthorities)
            ),
            identities: [],
            distrusted: authority.identity.chain.map(\.spkiSHA256)
        )
    }
}

extension Rule {
    /// The rule that asks an interceptor.
    fileprivate init(_ interceptor: any Interceptor, number: Int) throws(ProxyFailure) {
        var filter = Filter.everything
        if !interceptor.filter.isEmpty {
            do throws(FilterFailure) {
                filter = try Filter(
                    interceptor.filter,
                    FilterVocabulary(hostNames: InternationalName.ascii)
                )
            } catch {
                throw ProxyFailure("the filter of \(interceptor.name): \(error)")
            }
        }
        var call = ProgramCall(name: String(number))
        call.points = try ProgramCall.Point.chosen(interceptor)
        call.patience = interceptor.patience
        call.failure = interceptor.failurePolicy == .close ? .close : .pass
        self.init(name: interceptor.name, filter: filter, action: .askProgram(call))
    }
}

extension ProgramCall.Point {
    fileprivate static func chosen(_ interceptor: any Interceptor) throws(ProxyFailure) -> [Self] {
        let wanted = interceptor.points
        guard !wanted.isSuperset(of: [.request, .requestHead]),
            !wanted.isSuperset(of: [.response, .responseHead])
        else {
            throw ProxyFailure(
                "the points of \(interceptor.name): expected the head of a message or all of it, found both"
            )
        }
        return InterceptionPoint.allCases.filter(wanted.contains).map { point in
            switch point {
            case .requestHead: .requestHead
            case .request: .request
            case .responseHead: .responseHead
            case .response: .response
            }
        }
    }
}
