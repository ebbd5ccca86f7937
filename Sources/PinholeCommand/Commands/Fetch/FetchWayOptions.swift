import ArgumentParser
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime

/// How a fetch gets there, and what it says of itself.
struct FetchWayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("An HTTP proxy: http://[USER:PASSWORD@]HOST:PORT.", valueName: "url"),
        transform: FetchProxy.init
    )
    var proxy: FetchProxy?

    @Option(help: ArgumentHelp("The client certificate: PEM or PKCS#12.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("Its key, where it is not in the same file.", valueName: "file"))
    var key: String?

    @Option(
        name: [.customLong("password-file"), .customLong("passphrase-file")],
        help: ArgumentHelp(
            "A file whose first line is the passphrase of the PKCS#12 file.",
            valueName: "file"
        )
    )
    var passwordFile: String?

    @Option(
        help: ArgumentHelp("For Basic and Digest, where the server asks.", valueName: "name:password"),
        transform: { text in
            guard let colon = text.firstIndex(of: ":") else {
                throw ValidationError("--user: expected NAME:PASSWORD")
            }
            return Credential(
                user: String(text[..<colon]),
                password: String(text[text.index(after: colon)...])
            )
        }
    )
    var user: Credential?

    @Option(
        help: ArgumentHelp("Connect to ADDR for HOST:PORT, as curl does.", valueName: "host:port:addr"),
        transform: { try FlagValue.parse(InternationalName.ascii($0), Resolver.Override.init) }
    )
    var resolve: [Resolver.Override] = []

    @Option(help: "The method of the request.")
    var method = "GET"

    @Option(
        help: ArgumentHelp("A field of the request; may be repeated.", valueName: "name: value"),
        transform: { text in
            guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
                throw ValidationError("--header: expected “Name: value”, found “\(text)”")
            }
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return (String(text[..<colon]), String(value))
        }
    )
    var header: [(name: String, value: String)] = []

    @Flag
    var version = FetchVersion.http11

    @Option(
        help: ArgumentHelp(
            "What a connection of HTTP/2 means for other hosts that its certificate names: judgedAgain, off or "
                + "dangerSkipsJudgement.",
            valueName: "how"
        )
    )
    var coalescing = ClientSettings.Coalescing.judgedAgain

    @Option(
        help: ArgumentHelp(
            "Where the server is judged: insideHandshake or afterHandshake.",
            valueName: "place"
        )
    )
    var checkPlace = ClientSettings.CheckPlace.insideHandshake

    @Option(
        help: ArgumentHelp(
            "What a resumed TLS session means: judgedAgain, off or dangerSkipsJudgement.",
            valueName: "how"
        )
    )
    var resumption = ClientSettings.Resumption.judgedAgain

    @Option(help: ArgumentHelp("How many redirects are followed.", valueName: "count"))
    var maxRedirects = 20

    @Option(
        help: ArgumentHelp(
            "How long nothing may come: until a connection stands, in a handshake, in an answer.",
            valueName: "seconds"
        )
    )
    var timeout = 60

    func validate() throws {
        guard (0...1000).contains(maxRedirects) else {
            throw ValidationError("--max-redirects: expected 0 to 1000, found \(maxRedirects)")
        }
        guard (1...86_400).contains(timeout) else {
            throw ValidationError("--timeout: expected 1 to 86400, found \(timeout)")
        }
        guard cert != nil || key == nil && passwordFile == nil else {
            throw ValidationError("--key and --password-file belong to --cert: expected it as well")
        }
    }

    /// Puts everything into `settings`, for a fetch of `url`.
    func apply(to settings: inout ClientSettings, _ url: ClientURL) throws(CommandFailure) {
        if let proxy {
            settings.proxy = ClientSettings.Proxy(proxy.authority, credential: proxy.credential)
        }
        if let cert {
            settings.identity = try FetchIdentity(
                file: cert,
                keyFile: key,
                passwordFile: passwordFile
            ).read()
        }
        if let user { settings.logins = [(url, user)] }
        settings.overrides = resolve
        settings.checkPlace = checkPlace
        settings.resumption = resumption
        settings.protocols = version.protocols
        settings.coalescing = coalescing
        settings.redirectLimit = maxRedirects
        settings.wait(atMost: .seconds(timeout))
    }
}

extension ClientSettings.CheckPlace: ExpressibleByArgument {}
extension ClientSettings.Resumption: ExpressibleByArgument {}
extension ClientSettings.Coalescing: ExpressibleByArgument {}
