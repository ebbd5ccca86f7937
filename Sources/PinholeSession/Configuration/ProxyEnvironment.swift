import PinholeModel
package import PinholeProxy
import PinholeRuntime

/// The next hops that variables of the environment name, as curl and other clients read them.
package struct ProxyEnvironment: Sendable, Equatable {
    /// A proxy with the variable that names it.
    package struct Entry: Sendable, Equatable {
        /// The name of the environment variable.
        package let variable: String
        /// The proxy that it names.
        package let hop: NextHop
    }

    /// The proxy for all traffic except plain HTTP.
    package let secure: Entry?
    /// The proxy for plain HTTP.
    package let plain: Entry?
    /// The servers that are reached directly.
    package let bypass: [NextHops.Bypass]
    /// The variable that lists these servers; `nil` for none.
    package let bypassVariable: String?

    // HTTP_PROXY is not read: in a CGI program, it has the value of the request's field Proxy.
    private static let secureNames = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let plainNames = ["http_proxy", "all_proxy", "ALL_PROXY"]
    private static let bypassNames = ["no_proxy", "NO_PROXY"]

    /// Reads the variables; an empty variable counts as unset.
    ///
    /// - Throws: ``AddressFailure`` that names the variable with an invalid value, and repeats no password.
    init(_ environment: [String: String]) throws(AddressFailure) {
        func first(_ names: [String]) -> (name: String, value: String)? {
            names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
        }
        secure = try first(Self.secureNames).map(Self.entry)
        plain = try first(Self.plainNames).map(Self.entry)
        let exceptions = first(Self.bypassNames)
        bypassVariable = exceptions?.name
        bypass = try exceptions.map(Self.bypass) ?? []
    }

    /// The proxy for each kind of server.
    package var hops: NextHops { NextHops(proxy: secure?.hop, plainProxy: plain?.hop, bypass: bypass) }

    /// The found settings, a line each, without passwords.
    package var lines: [String] {
        func line(_ what: String, _ entry: Entry?) -> String {
            let user = entry?.hop.user.map { ", as the user \($0)" } ?? ""
            return "\(what): " + (entry.map { "\($0.hop)\(user), by \($0.variable)" } ?? "directly")
        }
        var lines = [line("plain http", plain), line("everything else", secure)]
        if let bypassVariable {
            lines.append(
                "directly: \(bypass.map(\.description).joined(separator: ", ")), by \(bypassVariable)"
            )
        }
        return lines
    }

    private static func entry(_ name: String, _ value: String) throws(AddressFailure) -> Entry {
        do throws(AddressFailure) {
            // A value without a scheme names an HTTP proxy.
            return Entry(variable: name, hop: try NextHop(value.contains("://") ? value : "http://\(value)"))
        } catch {
            throw AddressFailure(error.text, expected: "in the variable \(name): \(error.expected)")
        }
    }

    /// Parses `.corp.example, localhost, 10.0.0.0/8, [::1]:8443, *`, separated by commas or white space (as in curl).
    private static func bypass(
        _ name: String,
        _ value: String
    ) throws(AddressFailure) -> [NextHops.Bypass] {
        var entries: [NextHops.Bypass] = []
        for text in value.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            do throws(AddressFailure) {
                entries += try Self.entries(String(text))
            } catch {
                throw AddressFailure(
                    error.text,
                    expected:
                        "in the variable \(name): hosts, domains and networks with commas between them, and in each \(error.expected)"
                )
            }
        }
        return entries
    }

    /// Returns the entries of a part: a name, with or without `.` or `*.` before it, also matches the hosts below it.
    private static func entries(_ text: String) throws(AddressFailure) -> [NextHops.Bypass] {
        let name =
            text.hasPrefix("*.") ? text.dropFirst(2) : text.hasPrefix(".") ? text.dropFirst() : text[...]
        let isAddress = (try? Authority(text, defaultPort: 0))?.host.address != nil
        guard !text.contains("/"), !isAddress, !name.hasPrefix("*") else {
            return [try NextHops.Bypass(text)]
        }
        let ascii = InternationalName.ascii(String(name))
        return [.pattern(try HostPattern(ascii)), .pattern(try HostPattern("*.\(ascii)"))]
    }
}
