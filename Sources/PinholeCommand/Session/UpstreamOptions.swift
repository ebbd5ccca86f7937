import ArgumentParser
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeSession

/// The option `--upstream-proxy` and its related options.
struct UpstreamOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Reach servers through another proxy: http://, https:// or socks5://HOST:PORT; “environment” for that of \
            https_proxy, http_proxy, all_proxy and no_proxy; “none” for directly.
            """,
            valueName: "url"
        )
    )
    var upstreamProxy: String?

    @Option(
        help: ArgumentHelp(
            """
            USER:PASSWORD for that proxy, or @FILE that holds it. Others on this machine can see the command line \
            (ps), so prefer @FILE, or PINHOLE_UPSTREAM_AUTH in the environment.
            """,
            valueName: "user:password"
        ),
        transform: { WithheldValue(credentials: $0) }
    )
    var upstreamAuth: WithheldValue<Configuration.Credentials>?

    @Option(
        help: .value(
            "host",
            "Reach HOST (a pattern such as *.corp.example) or a network directly; may be repeated."
        ),
        transform: { try FlagValue.parse(InternationalName.ascii($0), NextHops.Bypass.init) }
    )
    var bypass: [NextHops.Bypass] = []

    @Option(
        help: .value(
            "address",
            "Connect to servers from this address of the machine; once for IPv4, once for IPv6."
        ),
        transform: { try FlagValue.parse($0, SourceAddresses.address) }
    )
    var upstreamAddress: [IPAddress] = []

    @Option(
        help: .value(
            "number",
            "Mark connections to servers (SO_MARK), so that a rule that redirects can except them; needs CAP_NET_ADMIN."
        )
    )
    var mark: UInt32?

    func validate() throws { try upstreamAuth?.check("--upstream-auth") }

    /// Applies the flags, which win over the file.
    func apply(to configuration: inout Configuration) throws(CommandFailure) {
        if let upstreamProxy {
            do throws(AddressFailure) {
                configuration.upstream.proxy =
                    upstreamProxy == "none" ? nil : try NextHopChoice(upstreamProxy)
            } catch {
                // The value may contain a password; only a text without one is repeated.
                let found = error.text == "…" ? "" : ", found “\(error.text)”"
                throw CommandFailure(.usage, "--upstream-proxy: expected \(error.expected)\(found)")
            }
            configuration.upstream.credentials = nil
        }
        configuration.upstream.bypass += bypass
        if !upstreamAddress.isEmpty {
            do throws(AddressFailure) {
                configuration.upstream.addresses = try SourceAddresses(upstreamAddress)
            } catch {
                throw CommandFailure.usage(
                    "--upstream-address: expected \(error.expected), found \(error.text)"
                )
            }
        }
        if let mark {
            guard mark > 0 else {
                throw CommandFailure(.usage, "--mark: expected 1 to \(UInt32.max), found 0")
            }
            configuration.upstream.mark = mark
        }
        if let credentials = upstreamAuth?.value {
            guard case .named = configuration.upstream.proxy else {
                let isElsewhere = configuration.upstream.proxy != nil
                throw CommandFailure.usage(
                    isElsewhere
                        ? "--upstream-auth: expected credentials in the variables that name proxies"
                        : "--upstream-auth: expected --upstream-proxy beside it, or upstream.proxy in the configuration"
                )
            }
            configuration.upstream.credentials = credentials
        } else if case .environment = configuration.upstream.proxy {
            // The environment's variables contain their own credentials.
        } else if let credentials = try Configuration.Credentials.inEnvironment("PINHOLE_UPSTREAM_AUTH") {
            configuration.upstream.credentials = credentials
        }
    }
}
