import PinholeModel

/// The capture that a `replay` rule answers from, and what makes a request the one that was recorded.
package struct CaptureReplay: Sendable, Hashable {
    /// A part of requests that may be left out when they are compared.
    package enum Part: String, Sendable, CaseIterable {
        /// `http` or `https`.
        case scheme
        /// The name or address of the server.
        case host
        /// The port of the server.
        case port
        /// Everything behind the question mark.
        case query
    }

    /// How much of a request has to be the same.
    package enum Match: String, Sendable, CaseIterable {
        /// Method, URL and the named fields.
        case loose
        /// Those and the body, as it was sent.
        case strict
    }

    /// The file of the capture.
    package var file: String
    /// What is not compared.
    package var ignored: Set<Part>
    /// Parameters of the query that are not compared, by their decoded names.
    package var ignoredParameters: [String]
    /// Fields that are compared, in lower case; others are not.
    package var fields: [String]
    /// Whether a request that was not recorded is refused; else the server is asked.
    package var isStrict: Bool
    /// Whether each recorded answer is given once; else the last one of a request is repeated.
    package var isOnce: Bool
    /// How much of a request has to be the same.
    package var match: Match
    /// Whether Date, Expires, Last-Modified and those of cookies are given as they were recorded; else they move with the time.
    package var keepsDates: Bool

    /// Creates a source of answers.
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

    /// A text that is the same for requests that count as the same, but for their bodies.
    ///
    /// - Parameter request: A request, recorded or new.
    /// - Returns: The text; no two requests that differ in what is compared have the same.
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
        // A line break stands in none of them.
        return parts.joined(separator: "\n")
    }

    /// What is compared of a query; `nil` for none.
    private func query(_ text: Substring) -> String? {
        guard !text.isEmpty else { return nil }
        let parameters = text.dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        guard !ignoredParameters.isEmpty else { return String(text.dropFirst()) }
        let kept = parameters.filter { parameter in
            let name = PercentCoding.decode(Array(parameter.prefix { $0 != "=" }.utf8))
            return name.map { !ignoredParameters.contains($0) } ?? true
        }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }
}
