import Foundation
import PinholeCrypto
import PinholeFilter
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeStore

/// What the file `config.json` says.
///
/// A new value holds the defaults, each explained in docs/CONFIGURATION.md.
struct Configuration: Sendable {
    /// `proxy`: where clients connect, and which may.
    struct Proxy: Sendable {
        var listen = ["127.0.0.1"].compactMap { IPAddress($0) }
            .map { ListeningPoint(SocketAddress($0, port: 8080)) }
        var clients: [AddressRange] = []
        var credentials: Credentials?
        /// A file as `htpasswd` writes it.
        var users: String?
        var certificates: [ListenerCertificate] = []
    }

    /// What listeners before a server present: a certificate with its chain, and its key.
    struct ListenerCertificate: Sendable, Equatable {
        /// PEM, with or without the key, or PKCS#12.
        var file: String
        /// PEM; `nil` where the key is in the other file.
        var keyFile: String?
        var passphrase: String?
        var passphraseFile: String?
    }

    /// One user of the proxy.
    enum Credentials: Sendable, Equatable {
        /// `user:password`.
        case literal(String)
        /// A file whose first line is `user:password`.
        case file(String)

        /// Reads `user:password` or `@file`.
        init(_ text: String) throws(AddressFailure) {
            if text.hasPrefix("@"), text.count > 1 {
                self = .file(String(text.dropFirst()))
            } else if text.contains(":"), !text.hasPrefix(":") {
                self = .literal(text)
            } else {
                // What came may be a password, so it is not repeated.
                throw AddressFailure("…", expected: "USER:PASSWORD or @FILE")
            }
        }

        /// What the variable `name` of the environment says; `nil` where it says nothing.
        static func inEnvironment(_ name: String) throws(CommandFailure) -> Credentials? {
            guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return nil }
            do throws(AddressFailure) {
                return try Credentials(text)
            } catch {
                throw CommandFailure(.usage, "\(name): expected \(error.expected)")
            }
        }
    }

    /// `upstream`: the proxy through which servers are reached.
    struct Upstream: Sendable, Equatable {
        var proxy: NextHopChoice?
        var credentials: Credentials?
        var bypass: [NextHops.Bypass] = []
        var isOffline = false
        /// The addresses of this machine that connections to servers come from, one a family; empty for any.
        var addresses = SourceAddresses()
        /// What marks connections to servers for the firewall.
        var mark: UInt32?
    }

    /// `ca`: the certificate authority.
    struct Authority: Sendable, Equatable {
        /// The kinds of key that a new authority may have.
        enum Key: String, Sendable, CaseIterable {
            case p256
            case rsa3072
        }

        /// The directory of the CA, relative to the folder of the file; without a file ``Places`` decides.
        var directory = Places.authorityName
        var keyAlgorithm = Key.p256
        var permittedDomains: [String] = []
    }

    /// `tls.client` and `tls.server`: the versions that are spoken with one side.
    struct Versions: Sendable, Equatable {
        var minimum = TLSVersion.tls12
        var maximum = TLSVersion.tls13
    }

    /// A client certificate, and the hosts that get it.
    struct ClientCertificate: Sendable, Equatable {
        var hosts: [HostPattern]
        var file: String
        var passphrase: String?
        var passphraseFile: String?
    }

    /// `tls`: both sides of a tunnel.
    struct TLS: Sendable {
        var client = Versions()
        var server = Versions()
        var upstreamCAs: [String] = []
        var badCertificate = ServerPolicy.BadCertificate.refuse
        var exemptions: [ServerPolicy.Exemption] = []
        var passthrough: [String] = []
        var clientCertificates: [ClientCertificate] = []
    }

    /// `capture`: what is recorded, where, and for how long.
    struct Capture: Sendable, Equatable {
        /// The capture, or `nil` for none; without a configuration file ``Places`` decides.
        var file: String? = Places.captureName
        var bodies = true
        /// Whether the programs on this machine are recorded that make connections.
        var clientProcesses = true
        var maxAgeDays: Int64?
        var maxSizeMB: Int64?
        var whenFull = CaptureStore.WhenFull.stopCapture
        /// What is recorded.
        var filter = Filter.everything
        /// The same as the file has it; empty for everything.
        var filterText = ""
        /// The same as a flag has it, which wins; `nil` without one.
        var filterFlag: String?
        /// The same as it was written.
        var filterInUse: String { filterFlag ?? filterText }
    }

    var proxy = Proxy()
    var authority = Authority()
    var tls = TLS()
    var upstream = Upstream()
    var resolve: [Resolver.Override] = []
    var capture = Capture()
    /// The filters that others call by their names.
    var filters = SavedFilters()
    /// The programs that rules may name.
    var programs: [ProgramDeclaration] = []
    var rules = RuleSet()
    /// The rules as they are written, each as JSON.
    var ruleTexts: [String] = []
    var console = ConsoleChoice.automatic
    var limits = Limits()
}
