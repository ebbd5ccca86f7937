import Foundation
import PinholeModel
import PinholeProxy

/// The proxy through which servers are reached, as `upstream.proxy` and `--upstream-proxy` choose it.
enum NextHopChoice: Sendable, Equatable {
    /// What variables of the environment name.
    case environment(ProxyEnvironment)
    /// This one.
    case named(NextHop)

    /// Parses the URL of a proxy, or `environment`.
    ///
    /// - Parameters:
    ///   - text: What is written.
    ///   - variables: The environment.
    /// - Throws: ``AddressFailure`` when it is neither, or a variable is of no use.
    init(
        _ text: String,
        _ variables: [String: String] = ProcessInfo.processInfo.environment
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

    /// Who is reached through whom, without exceptions of the configuration's own.
    var hops: NextHops {
        switch self {
        case .environment(let environment): environment.hops
        case .named(let hop): NextHops(proxy: hop)
        }
    }

    /// Each proxy, and the variable that names it; `nil` where the configuration does.
    var proxies: [(variable: String?, hop: NextHop)] {
        switch self {
        case .environment(let environment):
            [environment.secure, environment.plain].compactMap { $0.map { ($0.variable, $0.hop) } }
        case .named(let hop): [(nil, hop)]
        }
    }

    /// The variable that says what is reached directly; `nil` for none.
    var bypassVariable: String? {
        if case .environment(let environment) = self { environment.bypassVariable } else { nil }
    }

    /// What it is, without passwords.
    var description: String {
        switch self {
        case .environment(let environment): "environment (\(environment.lines.joined(separator: "; ")))"
        case .named(let hop): hop.description
        }
    }
}

extension Configuration.Upstream {
    /// Who is reached through whom; passwords that lie in files are not read.
    var hops: NextHops {
        var hops = proxy?.hops ?? NextHops()
        hops.bypass += bypass
        return hops
    }
}
