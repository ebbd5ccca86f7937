import ArgumentParser
import PinholeClient
import PinholeModel
import PinholeRuntime

/// The value of `--proxy`: `[http://|https://][USER:PASSWORD@]HOST:PORT`.
struct FetchProxy {
    /// The address of the proxy.
    let authority: Authority
    /// The credential for a proxy that requires one; `nil` for none.
    let credential: Credential?
    /// Whether the client speaks TLS to the proxy.
    let isSecure: Bool

    /// Reads the flag's value.
    ///
    /// - Throws: `ValidationError` with the expected notation; the port is required, since proxies have no default
    ///   port.
    init(_ text: String) throws {
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        guard scheme == nil || scheme == "http" || scheme == "https" else {
            throw ValidationError(
                "expected a proxy that is reached by http: or https:, found “\(UserInfo.hidden(in: text))”"
            )
        }
        isSecure = scheme == "https"
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let place = rest.hasSuffix("/") ? rest.dropLast() : rest
        do {
            let sign = place.lastIndex(of: "@")
            let name = sign.map { place[place.index(after: $0)...] } ?? place
            authority = try Authority(InternationalName.ascii(String(name)))
            let url = try ClientURL("http://\(sign.map { String(place[...$0]) } ?? "")\(authority)")
            credential = url.userInfo.map { Credential(user: $0.user, password: $0.password) }
        } catch is AddressFailure {
            throw ValidationError(
                "expected HOST:PORT or http[s]://[USER:PASSWORD@]HOST:PORT, with a port of 1 to 65535 and an "
                    + "IPv6 address in brackets, found “\(UserInfo.hidden(in: text))”"
            )
        } catch let failure as ClientFailure {
            throw ValidationError("expected http[s]://[USER:PASSWORD@]HOST:PORT: \(failure.detail)")
        }
    }
}
