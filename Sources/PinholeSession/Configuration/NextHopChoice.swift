package import PinholeModel
package import PinholeProxy

/// The proxy through which servers are reached, as `upstream.proxy` and `--upstream-proxy` choose it.
package enum NextHopChoice: Sendable, Equatable {
    /// The proxies that environment variables name.
    case environment(ProxyEnvironment)
    /// The proxy with this URL.
    case named(NextHop)

    /// Parses the URL of a proxy, or `environment`.
    ///
    /// - Throws: ``AddressFailure`` for any other text, or for a variable with an invalid value.
    package init(
        _ text: String,
        _ variables: [String: String] = ProcessEnvironment.variables
    ) throws(AddressFailure) {
        guard text != "environment" else {
            self = .environment(try ProxyEnvironment(variables))
            return
        }
        do throws(AddressFailure) {
            self = .named(try NextHop(text))
        } catch {
            throw AddressFailure(error.text, expected: "\(error.expected), or “environment”")
        }
    }

    /// The proxy for each kind of server, without the configuration's own exceptions.
    package var hops: NextHops {
        switch self {
        case .environment(let environment): environment.hops
        case .named(let hop): NextHops(proxy: hop)
        }
    }

    /// The proxies, each with the environment variable that names it; `nil` if the configuration names it.
    package var proxies: [(variable: String?, hop: NextHop)] {
        switch self {
        case .environment(let environment):
            [environment.secure, environment.plain].compactMap { $0.map { ($0.variable, $0.hop) } }
        case .named(let hop): [(nil, hop)]
        }
    }

    /// The environment variable that lists the servers that are reached directly; `nil` for none.
    package var bypassVariable: String? {
        if case .environment(let environment) = self { environment.bypassVariable } else { nil }
    }

    /// A description without passwords.
    package var description: String {
        switch self {
        case .environment(let environment): "environment (\(environment.lines.joined(separator: "; ")))"
        case .named(let hop): hop.description
        }
    }
}

extension Configuration.Upstream {
    /// The proxy for each kind of server; passwords in files are not read.
    package var hops: NextHops {
        var hops = proxy?.hops ?? NextHops()
        hops.bypass += bypass
        return hops
    }
}
