import PinholeModel
package import PinholeProxy
package import PinholeRuntime

extension Configuration {
    /// The section `upstream`: the proxy through which servers are reached.
    package struct Upstream: Sendable, Equatable {
        /// The proxy through which servers are reached; `nil` for none.
        package var proxy: NextHopChoice?
        /// The user name and password for that proxy.
        package var credentials: Credentials?
        /// The hosts that are reached without that proxy.
        package var bypass: [NextHops.Bypass] = []
        /// Whether no server is asked at all.
        package var isOffline = false
        /// The source addresses of connections to servers, one for each address family; empty for any.
        package var addresses = SourceAddresses()
        /// The firewall mark of connections to servers; `nil` for none.
        package var mark: UInt32?
    }
}

extension Configuration.Upstream {
    static var section: ConfigurationSection {
        ConfigurationSection("upstream", "the way to servers", keys) {
            (configuration, path) throws(DocumentFailure) in
            try configuration.upstream.checkCredentials(path)
        }
    }

    private static var keys: [ConfigurationKey] {
        [
            .optional(
                "proxy",
                \.upstream.proxy,
                DocumentValue.parsed { (text) throws(AddressFailure) in try NextHopChoice(text) },
                "The proxy through which servers are reached: `\"http://proxy.corp:3128\"`, `\"https://…\"` or "
                    + "`\"socks5://…\"`, with `user:password@` (percent-encoded) before the host if it asks for a login. "
                    + "`\"environment\"` uses the environment (docs/CONFIGURATION.md#next-hops-from-the-environment)",
                harm: .confirmed("that proxy sees every host, and plain http") { (configuration, key) in
                    switch configuration.upstream.proxy {
                    case .named(let hop): ["sends requests through \(hop) (\(key))"]
                    case .environment:
                        ["sends requests through the proxies that the environment names (\(key))"]
                    case nil: []
                    }
                }
            ),
            .optional(
                "credentials",
                \.upstream.credentials,
                DocumentValue.parsed(Configuration.Credentials.init),
                "`\"user:password\"` or `\"@file\"` for that proxy, so that the URL needs no password; only one of the two "
                    + "may be set",
                harm: .confirmed("the next proxy gets this login") { (configuration, key) in
                    configuration.upstream.credentials == nil
                        ? [] : ["logs in to the next proxy with its own password (\(key))"]
                }
            ),
            .list(
                "bypass",
                \.upstream.bypass,
                DocumentValue.parsed { (text) throws(AddressFailure) in
                    try NextHops.Bypass(InternationalName.ascii(text))
                },
                "Targets that are reached directly: host patterns (`\"*.corp.example\"`, `\"localhost\"`) and networks "
                    + "(`\"10.0.0.0/8\"`, for requests that name an address)",
                harm: .confirmed("servers are asked directly and not through the next proxy") {
                    (configuration, key) in
                    let targets = configuration.upstream.bypass.map { "\($0)" }.joined(separator: ", ")
                    return targets.isEmpty
                        ? [] : ["asks \(targets) directly, without the next proxy (\(key))"]
                }
            ),
            .value(
                "addresses",
                \.upstream.addresses,
                usual: "[]",
                sources,
                "The local addresses from which connections to servers and to the next proxy come: one of IPv4, one of "
                    + "IPv6, or both. With one address, only servers of its family are reached. An address that this "
                    + "machine does not have is refused at the start. Name resolution is not affected",
                harm: .confirmed("connections leave this machine by another address") {
                    (configuration, key) in
                    let addresses = configuration.upstream.addresses
                    return addresses.all.isEmpty ? [] : ["connects to servers from \(addresses) (\(key))"]
                }
            ),
            .flag(
                "offline",
                \.upstream.isOffline,
                "If `true`, no server is ever contacted: a request that no rule answers gets 502, and no name is resolved "
                    + "(docs/EXCHANGE.md#offline)",
                harm: .none("no server is asked")
            ),
            .optional(
                "mark",
                \.upstream.mark,
                mark,
                "A number that marks connections to servers (SO_MARK), so that a firewall rule can except them; needs "
                    + "CAP_NET_ADMIN (docs/LISTENERS.md#redirected-by-the-firewall)",
                harm: .confirmed("firewall rules treat connections to servers in another way") {
                    (configuration, key) in
                    configuration.upstream.mark.map {
                        ["marks connections to servers with \($0) for the firewall (\(key))"]
                    } ?? []
                }
            ),
        ]
    }

    private static func sources(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> SourceAddresses
    {
        let found = try DocumentValue.list(DocumentValue.parsed(SourceAddresses.address))(value, path)
        do throws(AddressFailure) {
            return try SourceAddresses(found)
        } catch {
            throw DocumentFailure(path: path, expected: error.expected, found: error.text)
        }
    }

    private static func mark(_ value: JSONValue, _ path: String) throws(DocumentFailure) -> UInt32 {
        UInt32(clamping: try DocumentValue.integer(in: 1...Int64(UInt32.max))(value, path))
    }

    /// Checks that only one place has credentials for the next proxy.
    private func checkCredentials(_ path: String) throws(DocumentFailure) {
        guard credentials != nil else { return }
        switch proxy {
        case .named(let hop) where hop.user != nil:
            throw DocumentFailure(
                path: "\(path).credentials",
                expected: "credentials here or in \(path).proxy",
                found: "both"
            )
        case .environment:
            throw DocumentFailure(
                path: "\(path).credentials",
                expected:
                    "credentials in the variables that name proxies, since \(path).proxy is “environment”",
                found: "some here"
            )
        case .named, nil: break
        }
    }
}

extension Configuration.Upstream {
    /// Applies the section to the policy of a proxy.
    ///
    /// - Throws: ``CommandFailure`` if the file with the next proxy's credentials cannot be used.
    func apply(to policy: inout ProxyPolicy) throws(CommandFailure) {
        policy.nextHops = try nextHops()
        policy.isOffline = isOffline
    }

    /// Returns the firewall mark of connections to servers; throws if the system does not let this process set one.
    func checkedMark() throws(CommandFailure) -> UInt32? {
        guard let mark else { return nil }
        do throws(SystemFailure) {
            try OutgoingConnections.check(mark: mark)
        } catch {
            throw CommandFailure(
                error.description,
                remedy: """
                    run as root, or with the capability CAP_NET_ADMIN; or leave out upstream.mark (--mark), and except \
                    the proxy's user in the rule
                    """
            )
        }
        return mark
    }

    /// Returns the source addresses of connections to servers; throws if one is not an address of this machine.
    func sources() throws(CommandFailure) -> SourceAddresses {
        let sources = addresses
        do throws(SystemFailure) {
            try sources.check()
        } catch {
            let own = LocalInterfaces.addresses().filter { !$0.isLinkLocal6 }.map(\.description).joined(
                separator: ", "
            )
            throw CommandFailure(
                "upstream.addresses (--upstream-address): \(error)",
                remedy: "choose among the addresses of this machine: \(own)"
            )
        }
        return sources
    }

    /// Returns the proxy through which servers are reached, with its credentials.
    func nextHops() throws(CommandFailure) -> NextHops {
        var hops = self.hops
        guard case .named(var hop) = proxy,
            let login = try credentials?.login(for: "the credentials for the next proxy")
        else { return hops }
        (hop.user, hop.password) = login
        (hops.proxy, hops.plainProxy) = (hop, hop)
        return hops
    }
}
