import Glibc
import Logging
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeStore

let arguments = CommandLine.arguments
let port = UInt16(arguments[1]) ?? 0
let now = LoopClock().now()
let directory = AuthorityDirectory(path: arguments[2])
let authority = try directory.loadOrCreate(CertificateAuthority.Options(machineName: "dev"), now: now)
    .authority
let anchors = try TrustAnchors(
    system: true,
    additional: arguments.count > 3 && arguments[3] != "-" ? TrustBundle(path: arguments[3]).certificates : []
)
let environment = TunnelEnvironment(
    accepting: try TLSContext(acceptingVersions: .tls12 ... .tls13),
    connecting: try TLSContext(connectingVersions: .tls12 ... .tls13, trust: anchors),
    identities: [],
    distrusted: authority.identity.chain.map(\.spkiSHA256)
)
let policy = ProxyPolicy(
    interception: InterceptionRules(passthrough: try HostRules([])),
    onboarding: Onboarding(downloads: [], subject: authority.certificate.subject, fingerprint: "", expiry: "")
)
final class NoSink: FlowSink {
    func nextID() -> Int64 { 1 }
    func record(_ events: [FlowEvent]) { if getenv("SHOW") != nil { for e in events { print(e) } } }
    var isCongested: Bool { false }
    func whenRelieved(_ action: @escaping @Sendable () -> Void) { action() }
}
let sink: any FlowSink =
    arguments.count > 4 ? try CaptureStore.open(CaptureStore.Options(path: arguments[4]), now: now) : NoSink()
let server = try ProxyServer(
    setup: ProxySetup(policy: policy, environment: environment, minter: LeafMinter(authority: authority)),
    sink: sink,
    keepsBodies: arguments.count > 4,
    logger: Logger(label: "pinhole")
)

let addresses = try await server.start(on: [SocketAddress(IPAddress("127.0.0.1")!, port: port)])
print("listening on \(addresses[0])")
while true { try await Task.sleep(for: .seconds(1000)) }
