import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeStore

/// A key of `config.json`, with its default and its meaning.
struct ConfigurationKey: Sendable {
    /// The path within the section: `listen`, `client.minimum`.
    let name: String
    /// The default, as JSON.
    let usual: String
    /// The effect of the key and the reason for its default, for `pinhole config keys` and docs/CONFIGURATION.md.
    let meaning: String

    /// Declares a key.
    init(_ name: String, _ usual: String, _ meaning: String) {
        self.name = name
        self.usual = usual
        self.meaning = meaning
    }

    /// Declares a key whose default is a text.
    init(_ name: String, text usual: String, _ meaning: String) {
        // No default has a character that needs an escape.
        self.init(name, "\"\(usual)\"", meaning)
    }
}

/// A member of the outermost object of `config.json`: an object of keys, or a value of its own.
struct ConfigurationSection: Sendable {
    let name: String
    /// The subject of the member.
    let meaning: String
    /// The default of a member without keys, as JSON; `nil` for an object of keys.
    let usual: String?
    let keys: [ConfigurationKey]

    /// Declares an object of keys.
    init(_ name: String, _ meaning: String, _ keys: [ConfigurationKey]) {
        self.name = name
        self.meaning = meaning
        self.keys = keys
        usual = nil
    }

    /// Declares a member without keys.
    init(_ name: String, _ meaning: String, usual: String) {
        self.name = name
        self.meaning = meaning
        self.usual = usual
        keys = []
    }

    /// All members, in the order of the file.
    static var all: [ConfigurationSection] {
        let defaults = Configuration()
        return [
            ConfigurationSection("proxy", "the listeners, and who may use them", proxy(defaults.proxy)),
            ConfigurationSection("ca", "the certificate authority", authority(defaults.authority)),
            ConfigurationSection("tls", "TLS with clients and servers", tls(defaults.tls)),
            ConfigurationSection("upstream", "the way to servers", upstream),
            ConfigurationSection("resolve", "addresses that are used without name resolution", usual: "[]"),
            ConfigurationSection(
                "capture",
                "the record of the traffic: its file, its size, its age",
                capture(defaults)
            ),
            ConfigurationSection("filters", "filters with names, which other filters call", usual: "{}"),
            ConfigurationSection("programs", "programs that rules may ask", usual: "{}"),
            ConfigurationSection("rules", "rules for exchanges", usual: "[]"),
            ConfigurationSection("console", "the address of the web console", usual: "\"auto\""),
            ConfigurationSection(
                "limits",
                "bounds for peers",
                Configuration.counts.map {
                    ConfigurationKey($0.key, "\(defaults.limits[keyPath: $0.path])", $0.meaning)
                }
                    + Configuration.deadlines.map {
                        let seconds = defaults.limits[keyPath: $0.path].components.seconds
                        return ConfigurationKey($0.key, "\(seconds)", $0.meaning)
                    }
            ),
        ]
    }
}

extension ConfigurationSection {
    private static func proxy(_ section: Configuration.Proxy) -> [ConfigurationKey] {
        let listen = section.listen.map { "\"\($0)\"" }.joined(separator: ", ")
        return [
            ConfigurationKey(
                "listen",
                "[\(listen)]",
                "Addresses with ports, IPv6 in brackets; port 0 lets the kernel choose. The default is loopback, because "
                    + "anybody who reaches the proxy can use it. The same port accepts TLS to the proxy (docs/INSIDE.md#to-the-proxy-itself) "
                    + "and SOCKS (docs/LISTENERS.md#socks). `\"reverse:https://HOST@127.0.0.1:9000\"` listens before a server, "
                    + "`\"reverse:tcp://HOST:PORT@127.0.0.1:9000\"` is a port of it "
                    + "(docs/LISTENERS.md#before-a-server), `\"transparent@127.0.0.1:7070\"` accepts redirected "
                    + "connections (docs/LISTENERS.md#redirected-by-the-firewall)"
            ),
            ConfigurationKey(
                "clients",
                "[]",
                "Networks (`192.168.1.0/24`) or addresses that may use the proxy; empty for everybody who reaches it"
            ),
            ConfigurationKey(
                "credentials",
                "null",
                "`\"user:password\"`, or `\"@file\"`, whose first line has it. HTTP clients send it as Basic "
                    + "authentication, SOCKS5 clients as user name and password. Compared in constant time"
            ),
            ConfigurationKey(
                "users",
                "null",
                "A file of users in the format of `htpasswd`, beside `credentials` or instead of it. The capture tells "
                    + "the users apart (docs/LISTENERS.md#who-may-use-the-proxy)"
            ),
            ConfigurationKey(
                "certificates",
                "[]",
                "Certificates that listeners before a server present instead of leaves of the CA, each as "
                    + "`{\"file\", \"keyFile\", \"passphrase\", \"passphraseFile\"}` (docs/LISTENERS.md#before-a-server)"
            ),
        ]
    }

    private static func authority(_ section: Configuration.Authority) -> [ConfigurationKey] {
        [
            ConfigurationKey(
                "directory",
                text: section.directory,
                "The directory of `rootCA.pem` and `rootCA-key.pem`, which the first use makes (docs/CA.md#the-files)"
            ),
            ConfigurationKey(
                "keyAlgorithm",
                text: section.keyAlgorithm.rawValue,
                "For a new CA: `\"p256\"`, which is fast and widely supported; `\"rsa3072\"` for clients without "
                    + "elliptic curves"
            ),
            ConfigurationKey(
                "permittedDomains",
                "[]",
                "For a new CA: the domains and networks that it may sign for (X.509 name constraints); empty for all. "
                    + "The proxy passes other hosts through"
            ),
        ]
    }

    private static func tls(_ section: Configuration.TLS) -> [ConfigurationKey] {
        [
            ConfigurationKey(
                "client.minimum",
                text: section.client.minimum.rawValue,
                "The oldest TLS version with clients. Versions below 1.2 are broken, and OpenSSL 3 disables them"
            ),
            ConfigurationKey(
                "client.maximum",
                text: section.client.maximum.rawValue,
                "The newest TLS version with clients"
            ),
            ConfigurationKey(
                "server.minimum",
                text: section.server.minimum.rawValue,
                "The oldest TLS version with servers"
            ),
            ConfigurationKey(
                "server.maximum",
                text: section.server.maximum.rawValue,
                "The newest TLS version with servers"
            ),
            ConfigurationKey(
                "upstreamCAs",
                "[]",
                "Files with CAs that are trusted for servers, in addition to the system's. Pinhole's own CA is never "
                    + "among them"
            ),
            ConfigurationKey(
                "badCertificate",
                text: section.badCertificate.rawValue,
                "`\"refuse\"`: the client gets a page that says what is wrong. `\"mirror\"`: the proxy forges the same "
                    + "fault, so that the client's own checks meet it"
            ),
            ConfigurationKey(
                "exemptions",
                "[]",
                "`{\"hosts\": [\"old.example.test\"], \"reason\": \"replaced in May\"}`: hosts whose certificate is "
                    + "accepted, whatever it is. The reason is required, and recorded with every flow"
            ),
            ConfigurationKey(
                "passthrough",
                "[]",
                "Hosts whose connections are relayed untouched: `[\"*.bank.example\", \"!test.bank.example\"]`"
            ),
            ConfigurationKey(
                "clientCertificates",
                "[]",
                "`{\"hosts\": […], \"file\": \"me.p12\", \"passphraseFile\": \"me.txt\"}`: the certificate to present "
                    + "when a server asks for one. PEM (certificate and key in one file) or PKCS#12; `passphrase` may "
                    + "hold the passphrase itself"
            ),
        ]
    }

    private static let upstream = [
        ConfigurationKey(
            "proxy",
            "null",
            "The proxy through which servers are reached: `\"http://proxy.corp:3128\"`, `\"https://…\"` or "
                + "`\"socks5://…\"`, with `user:password@` (percent-encoded) before the host if it asks for a login. "
                + "`\"environment\"` uses the environment (docs/CONFIGURATION.md#next-hops-from-the-environment)"
        ),
        ConfigurationKey(
            "credentials",
            "null",
            "`\"user:password\"` or `\"@file\"` for that proxy, so that the URL needs no password; only one of the two "
                + "may be set"
        ),
        ConfigurationKey(
            "bypass",
            "[]",
            "Targets that are reached directly: host patterns (`\"*.corp.example\"`, `\"localhost\"`) and networks "
                + "(`\"10.0.0.0/8\"`, for requests that name an address)"
        ),
        ConfigurationKey(
            "addresses",
            "[]",
            "The local addresses from which connections to servers and to the next proxy come: one of IPv4, one of "
                + "IPv6, or both. With one address, only servers of its family are reached. An address that this "
                + "machine does not have is refused at the start. Name resolution is not affected"
        ),
        ConfigurationKey(
            "offline",
            "false",
            "If `true`, no server is ever asked: a request that no rule answers gets 502, and no name is resolved "
                + "(docs/EXCHANGE.md#offline)"
        ),
        ConfigurationKey(
            "mark",
            "null",
            "A number that marks connections to servers (SO_MARK), so that a firewall rule can except them; needs "
                + "CAP_NET_ADMIN (docs/LISTENERS.md#redirected-by-the-firewall)"
        ),
    ]

    private static func capture(_ defaults: Configuration) -> [ConfigurationKey] {
        let capture = defaults.capture
        return [
            ConfigurationKey(
                "file",
                text: capture.file ?? "",
                "The capture file, mode 0600, relative to the folder of this file; `null` records nothing"
            ),
            ConfigurationKey(
                "bodies",
                "\(capture.bodies)",
                "Whether bodies and payloads of WebSocket messages are recorded. Their true lengths always are"
            ),
            ConfigurationKey(
                "clientProcesses",
                "\(capture.clientProcesses)",
                "Whether Pinhole records which programs on this machine make connections "
                    + "(docs/LISTENERS.md#which-program-asked)"
            ),
            ConfigurationKey(
                "bodyLimitBytes",
                "\(defaults.limits.bodyCapture)",
                "The bytes that are kept of one body, or of one message of a WebSocket. A longer one passes and is "
                    + "marked as truncated. 16 MiB are enough for what people read; a gigabyte of video is seldom wanted"
            ),
            ConfigurationKey(
                "maxAgeDays",
                "null",
                "Removes entries that are older. `null` keeps everything, because nobody expects a recorder to forget"
            ),
            ConfigurationKey(
                "maxSizeMB",
                "null",
                "Removes the oldest entries when the capture has grown beyond this"
            ),
            ConfigurationKey(
                "whenFull",
                text: capture.whenFull.rawValue,
                "The reaction to a full disk: `\"stopCapture\"` says so and lets traffic "
                    + "pass unrecorded; `\"stopTraffic\"` lets traffic wait"
            ),
            ConfigurationKey(
                "filter",
                "null",
                "A filter for the exchanges that are recorded; `null` records everything "
                    + "(docs/CAPTURE.md#what-is-recorded). SIGHUP reads it again, and the console can change it"
            ),
        ]
    }
}
