import Logging
import PinholeCrypto
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeRules
import PinholeRuntime
import PinholeSession

/// A proxy inside your program: it decrypts the traffic of its clients, asks ``Interceptor``s, and records exchanges.
///
/// ```swift
/// var options = Proxy.Options(authorityDirectory: "ca")
/// options.interceptors = [Marker()]
/// let proxy = try await Proxy.start(options)
/// // Clients use 127.0.0.1:proxy.port, and trust the CA in proxy.certificatePath.
/// await proxy.stop()
/// ```
public final class Proxy: Sendable {
    /// The settings of a proxy.
    public struct Options: Sendable {
        /// The address to listen on: a loopback address and a port; port 0 selects a free one.
        public var listen = "127.0.0.1:0"
        /// The directory of the certificate authority (CA); it is created if it does not exist.
        ///
        /// Anyone who has the CA's key can impersonate every server to programs that trust the CA.
        public var authorityDirectory: String
        /// The file in which exchanges are recorded; `nil` if nothing is to be recorded.
        public var capture: String?
        /// Files in PEM with CAs that are trusted for servers, in addition to the CAs of the system.
        public var serverAuthorities: [String] = []
        /// Addresses to use instead of name resolution, as `HOST:PORT:ADDRESS`; `*` stands for any host or port.
        public var resolve: [String] = []
        /// Patterns of hosts whose traffic is relayed without being decrypted, such as `*.bank.example`.
        public var passthrough: [String] = []
        /// The interceptors, in the order in which they are asked.
        public var interceptors: [any Interceptor] = []

        /// Creates options with the default settings.
        ///
        /// - Parameter authorityDirectory: The directory of the certificate authority.
        public init(authorityDirectory: String) { self.authorityDirectory = authorityDirectory }
    }

    /// The port on which the proxy listens.
    public let port: UInt16
    /// The file with the certificate of the proxy's CA, in PEM; clients must trust it.
    public let certificatePath: String
    /// The exchanges, each when it ends, for one reader.
    ///
    /// At most the newest 1,000 wait to be read. The stream ends when the proxy stops.
    public let exchanges: AsyncStream<Exchange>

    private let session: ProxySession
    private let continuation: AsyncStream<Exchange>.Continuation

    /// The number of exchanges that may wait for a reader; if more end, the oldest ones are dropped.
    private static let room = 1000

    /// Starts a proxy, which listens when this function returns.
    ///
    /// - Parameter options: The settings.
    /// - Returns: The running proxy.
    /// - Throws: ``ProxyFailure``, which says which setting cannot be used.
    public static func start(_ options: Options) async throws(ProxyFailure) -> Proxy {
        do {
            return try await Proxy(options)
        } catch let failure as ProxyFailure {
            throw failure
        } catch let failure as CommandFailure {
            throw ProxyFailure(failure.message + Remedy.clause(failure.remedy))
        } catch {
            throw ProxyFailure("\(error)")
        }
    }

    /// Stops the proxy: it accepts no more clients, and gives open exchanges one second to end.
    public func stop() async {
        await session.drain()
        session.stop()
        session.close()
        continuation.finish()
    }

    private init(_ options: Options) async throws {
        let respondents = options.interceptors.enumerated().map { (String($0), InterceptorRespondent($1)) }
        let (exchanges, continuation) = AsyncStream.makeStream(
            of: Exchange.self,
            bufferingPolicy: .bufferingNewest(Self.room)
        )
        (self.exchanges, self.continuation) = (exchanges, continuation)
        let configuration = try options.configuration()
        session = try ProxySession(
            configuration,
            logger: Logger(label: "pinhole"),
            respondents: Dictionary(uniqueKeysWithValues: respondents)
        ) { event in
            guard case .exchange(let record) = event, let exchange = Exchange(record) else { return }
            continuation.yield(exchange)
        }
        let bound = try await session.start(on: configuration.proxy.listen)
        port = bound.first?.address.port ?? 0
        certificatePath = AuthorityDirectory(path: options.authorityDirectory).certificatePath
    }
}

extension Proxy.Options {
    /// Returns the configuration with which `pinhole proxy` would do the same.
    fileprivate func configuration() throws -> Configuration {
        var configuration = Configuration()
        configuration.proxy.listen = [ListeningPoint(try Self.loopback(listen))]
        configuration.authority.directory = authorityDirectory
        configuration.capture.file = capture
        configuration.console = .nowhere
        configuration.tls.upstreamCAs = serverAuthorities
        configuration.tls.passthrough = passthrough
        configuration.resolve = try resolve.map { try Resolver.Override($0) }
        configuration.rules = RuleSet(try interceptors.enumerated().map { try Rule($1, number: $0) })
        configuration.limits.drainTimeout = .seconds(1)
        return configuration
    }

    private static func loopback(_ text: String) throws(ProxyFailure) -> SocketAddress {
        guard let address = try? SocketAddress(listening: text), !address.isReachableFromOutside else {
            throw ProxyFailure(
                "listen: expected a loopback address and a port such as 127.0.0.1:8080, found “\(text)”; anybody who reaches the proxy can use it"
            )
        }
        return address
    }
}

extension Rule {
    /// Creates the rule that asks an interceptor about the exchanges that its filter selects.
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
                "the points of \(interceptor.name): expected the headers of a message or all of it, found both"
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
