import PinholeModel

extension TextField {
    /// Everything that the text can be; `nil` where there is no end to it.
    package var values: [String]? {
        switch self {
        case .scheme: [Scheme.https, .http].map(\.rawValue)
        case .outcome:
            Set(Outcome.Kind.allCases.map(\.rawValue))
                .union(ExchangeOutcome.Kind.allCases.map(\.rawValue)).sorted()
        case .treatment: Treatment.allCases.map(\.rawValue)
        case .cause: HandshakeFailure.Cause.allCases.map(\.rawValue)
        case .alert: Alert.names.values.sorted() + (0...255).map(String.init)
        case .method, .host, .path, .query, .url, .error, .comment, .marker, .client, .process, .proxyUser,
            .server,
            .destination, .serverName, .applicationProtocol, .version, .cipher, .headers, .header,
            .contentType,
            .body:
            nil
        }
    }

    /// What the text is among what is spoken today; `nil` where nothing can be said.
    var usualValues: [String]? {
        self == .version ? ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] : nil
    }

    /// Whether it names a host, as A-labels.
    var isHostName: Bool { self == .host || self == .serverName || self == .destination }
}
