import ArgumentParser
import PinholeModel
import PinholeRuntime

/// The value of `--to`: the server to which recorded requests are sent.
struct ReplayTarget: Equatable {
    /// The scheme; `nil` to keep the scheme of each request.
    let scheme: Scheme?
    /// The host, with the port if one was given.
    private let place: String

    /// Reads the flag's value.
    ///
    /// - Parameter text: `[http://|https://]HOST[:PORT]`.
    /// - Throws: `ValidationError` that says what was expected.
    init(_ text: String) throws {
        var rest = text[...]
        if let end = text.firstRange(of: "://") {
            scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased())
            rest = text[end.upperBound...]
            guard scheme != nil else {
                throw ValidationError("expected http:// or https://, found “\(UserInfo.hidden(in: text))”")
            }
        } else {
            scheme = nil
        }
        guard !rest.contains("@") else {
            throw ValidationError("expected HOST[:PORT] without name and password")
        }
        place = InternationalName.ascii(String(rest.hasSuffix("/") ? rest.dropLast() : rest))
        _ = try FlagValue.server(place)
    }

    /// Returns the server for a request of `scheme`.
    func authority(for scheme: Scheme) -> Authority? {
        try? Authority(place, defaultPort: (self.scheme ?? scheme).defaultPort)
    }
}
