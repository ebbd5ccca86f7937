import PinholeModel

/// The capture that a `replay` rule answers from, and the conditions under which a request equals a recorded one.
package struct CaptureReplay: Sendable, Hashable {
    /// A part of requests that may be left out of the comparison.
    package enum Part: String, Sendable, CaseIterable {
        /// The scheme, `http` or `https`.
        case scheme
        /// The name or address of the server.
        case host
        /// The port of the server.
        case port
        /// The query after the question mark.
        case query
    }

    /// The parts of a request that have to be equal.
    package enum Match: String, Sendable, CaseIterable {
        /// Method, URL and the named fields have to be equal.
        case loose
        /// The received body has to be equal, too.
        case strict
    }

    /// The file of the capture.
    package var file: String
    /// The parts that are not compared.
    package var ignored: Set<Part>
    /// The query parameters that are not compared, by their decoded names.
    package var ignoredParameters: [String]
    /// The names of the fields that are compared, in lower case.
    package var fields: [String]
    /// Whether a request that was not recorded is refused.
    ///
    /// If not, the server is asked.
    package var isStrict: Bool
    /// Whether each recorded answer is given only once.
    ///
    /// If not, the last answer for a request is repeated.
    package var isOnce: Bool
    /// The parts of a request that have to be equal.
    package var match: Match
    /// Whether the dates in Date, Expires, Last-Modified and cookies stay as recorded.
    ///
    /// If not, they move by the time that has passed.
    package var keepsDates: Bool

    /// Creates the settings of a `replay` rule.
    package init(
        file: String,
        ignored: Set<Part> = [],
        ignoredParameters: [String] = [],
        fields: [String] = [],
        isStrict: Bool = true,
        isOnce: Bool = false,
        match: Match = .loose,
        keepsDates: Bool = false
    ) {
        self.file = file
        self.ignored = ignored
        self.ignoredParameters = ignoredParameters
        self.fields = fields
        self.isStrict = isStrict
        self.isOnce = isOnce
        self.match = match
        self.keepsDates = keepsDates
    }

    /// Returns a text that is equal for requests that count as the same, apart from their bodies.
    ///
    /// - Parameter request: A request, recorded or new.
    /// - Returns: The text. Requests that differ in a compared part have different texts.
    package func key(of request: RuleRequest) -> String {
        var parts = [request.method]
        if !ignored.contains(.scheme) { parts.append(request.scheme.rawValue) }
        if !ignored.contains(.host) { parts.append(request.authority.host.description) }
        if !ignored.contains(.port) { parts.append("\(request.authority.port)") }
        let path = request.path.prefix { $0 != "?" }
        parts.append(String(path))
        if !ignored.contains(.query), let query = query(request.path.dropFirst(path.count)) {
            parts.append("?" + query)
        }
        for name in fields {
            parts.append("\(name): " + request.fields.all(name).joined(separator: ", "))
        }
        // None of the parts contains a line break.
        return parts.joined(separator: "\n")
    }

    /// The part of a query that is compared; `nil` if there is none.
    private func query(_ text: Substring) -> String? {
        guard !text.isEmpty else { return nil }
        let parameters = text.dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        guard !ignoredParameters.isEmpty else { return String(text.dropFirst()) }
        let kept = parameters.filter { parameter in
            let name = PercentCoding.text(of: parameter.prefix { $0 != "=" }.utf8)
            return name.map { !ignoredParameters.contains($0) } ?? true
        }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }
}
