import ArgumentParser
import PinholeModel
import PinholeRuntime

/// `--to`: the server that recorded requests are sent to.
struct ReplayTarget: Equatable {
    /// The scheme; `nil` for that of each request.
    let scheme: Scheme?
    /// The host, and the port where one was written.
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
        _ = try FlagValue.parse(place) { (place) throws(AddressFailure) in
            try Authority(place, defaultPort: 443)
        }
    }

    /// The server for a request of `scheme`.
    func authority(for scheme: Scheme) -> Authority? {
        try? Authority(place, defaultPort: (self.scheme ?? scheme).defaultPort)
    }
}
