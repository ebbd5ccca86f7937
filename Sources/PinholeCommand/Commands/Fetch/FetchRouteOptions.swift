import ArgumentParser
import PinholeClient
import PinholeRuntime
import PinholeSession
import PinholeTrust

/// The options that decide how requests reach their servers.
struct FetchRouteOptions: ParsableArguments {
    @Option(
        help: .value("url", "An HTTP proxy: http[s]://[USER:PASSWORD@]HOST:PORT."),
        transform: { WithheldValue($0, FetchProxy.init) }
    )
    var proxy: WithheldValue<FetchProxy>?

    @Option(help: .value("file", "CAs that may certify an https: proxy, besides the system's."))
    var proxyCacert: [String] = []

    @Option(help: .value("file", "The client certificate: PEM or PKCS#12."))
    var cert: String?

    @Option(help: .value("file", "The key of the client certificate, if it is in another file."))
    var key: String?

    @Option(
        name: [.customLong("password-file"), .customLong("passphrase-file")],
        help: .value("file", "A file whose first line is the passphrase of the PKCS#12 file.")
    )
    var passwordFile: String?

    @Option(
        help: .value("host:port:addr", "Connect to ADDR for HOST:PORT, as curl does."),
        transform: FlagValue.override
    )
    var resolve: [Resolver.Override] = []

    @Option(
        help: .value(
            "seconds",
            "The longest silence: before a connection is open, in a handshake, in a response."
        )
    )
    var timeout = 60

    func validate() throws {
        try proxy?.check("--proxy")
        guard (1...86_400).contains(timeout) else {
            throw ValidationError("--timeout: expected 1 to 86400, found \(timeout)")
        }
        guard proxyCacert.isEmpty || proxy?.value?.isSecure == true else {
            throw ValidationError("--proxy-cacert: expected --proxy with https: as well")
        }
        guard cert != nil || key == nil && passwordFile == nil else {
            throw ValidationError("--key and --password-file belong to --cert: expected --cert as well")
        }
    }

    private func proxyAnchors() throws(CommandFailure) -> [CertificateFacts] {
        var anchors = try CertificateFiles.systemAnchors()
        for file in proxyCacert { anchors += try CertificateFiles.certificates(in: file) }
        return anchors
    }

    /// Copies the options into `settings`.
    func apply(to settings: inout ClientSettings) throws(CommandFailure) {
        if let proxy = proxy?.value {
            settings.proxy = ClientSettings.Proxy(
                proxy.authority,
                credential: proxy.credential,
                anchors: proxy.isSecure ? try proxyAnchors() : nil
            )
        }
        if let cert {
            settings.identity = try FetchIdentity(
                file: cert,
                keyFile: key,
                passwordFile: passwordFile
            ).read()
        }
        settings.overrides = resolve
        settings.wait(atMost: .seconds(timeout))
    }
}
