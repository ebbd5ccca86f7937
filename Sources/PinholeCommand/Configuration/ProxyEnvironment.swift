import PinholeModel
import PinholeProxy
import PinholeRuntime

/// The next hops that variables of the environment name, as curl and other clients read them.
struct ProxyEnvironment: Sendable, Equatable {
    /// A proxy, and the variable that names it.
    struct Entry: Sendable, Equatable {
        let variable: String
        let hop: NextHop
    }

    /// For all but plain http.
    let secure: Entry?
    /// For plain http.
    let plain: Entry?
    /// What is reached directly.
    let bypass: [NextHops.Bypass]
    /// The variable that says so; `nil` for none.
    let bypassVariable: String?

    // A CGI program finds the field Proxy of whoever asks it in HTTP_PROXY, which is why nobody reads that.
    private static let secureNames = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let plainNames = ["http_proxy", "all_proxy", "ALL_PROXY"]
    private static let bypassNames = ["no_proxy", "NO_PROXY"]

    /// Reads the variables; one that is empty counts as not there.
    ///
    /// - Parameter environment: All variables.
    /// - Throws: ``AddressFailure`` that names the variable whose value is of no use, and repeats no password.
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

    /// Who is reached through whom.
    var hops: NextHops { NextHops(proxy: secure?.hop, plainProxy: plain?.hop, bypass: bypass) }

    /// What was found, line by line; passwords are left out.
    var lines: [String] {
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
            // Without a scheme it is a proxy of HTTP.
            return Entry(variable: name, hop: try NextHop(value.contains("://") ? value : "http://\(value)"))
        } catch {
            throw AddressFailure(error.text, expected: "in the variable \(name): \(error.expected)")
        }
    }

    /// Reads `.corp.example, localhost, 10.0.0.0/8, [::1]:8443, *`: commas, and white space as curl allows it.
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

    /// A name means itself and what is below it, with a dot or `*.` before it or without; everything else is one thing.
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
