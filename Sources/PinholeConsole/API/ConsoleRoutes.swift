import PinholeModel

/// A path of the API and its operations.
package struct ConsoleRoute: Sendable {
    /// The path; a part in braces matches any text.
    let pattern: String
    /// The operations by method; GET also answers HEAD.
    var methods: [String: ConsoleOperation]
    /// Whether a console that is read-only allows all methods, since none changes the capture or the proxy.
    let isForReaders: Bool
    /// The meanings of the parts in braces, by the path before them.
    let meanings: [String: String]

    /// Returns the texts of the pattern's parts in braces; `nil` if the path does not match.
    func match(_ path: [String]) -> [String]? {
        let parts = pattern.split(separator: "/")
        guard parts.count == path.count else { return nil }
        var parameters: [String] = []
        for (part, text) in zip(parts, path) {
            if part.hasPrefix("{") {
                guard !text.isEmpty else { return nil }
                parameters.append(text)
            } else if part != text {
                return nil
            }
        }
        return parameters
    }

    /// The methods for the field Allow.
    var allowed: [String] {
        (methods["GET"] == nil ? [] : ["GET", "HEAD"]) + methods.keys.filter { $0 != "GET" }.sorted()
    }
}

extension ConsoleRoute {
    /// The paths of every console.
    static let all = routes(operations, meanings: meanings)

    /// Returns the paths of operations.
    ///
    /// - Parameters:
    ///   - operations: The operations by method and path, such as `GET /api/state`.
    ///   - meanings: The meanings of the parts in braces, by the path before them.
    ///   - isForReaders: Whether none of them changes the capture or the proxy.
    /// - Returns: The paths.
    package static func routes(
        _ operations: [(key: String, value: ConsoleOperation)],
        meanings: [String: String],
        isForReaders: Bool = false
    ) -> [ConsoleRoute] {
        var routes: [ConsoleRoute] = []
        for (name, operation) in operations {
            let words = name.split(separator: " ").map(String.init)
            let index = routes.firstIndex { $0.pattern == words[1] } ?? routes.endIndex
            if index == routes.endIndex {
                routes.append(
                    ConsoleRoute(
                        pattern: words[1],
                        methods: [:],
                        isForReaders: isForReaders,
                        meanings: meanings
                    )
                )
            }
            routes[index].methods[words[0]] = operation
        }
        return routes
    }

    /// The operations by method and path.
    private static let operations: [(key: String, value: ConsoleOperation)] =
        Array(traffic) + Array(capture) + Array(proxy) + Array(rules) + Array(lab) + Array(compose)

    private static let meanings = [
        "/api/traffic/": "The number of an exchange or a flow.",
        "/api/flows/": "The number of an exchange or a flow.",
        "/api/filters/": "The name, without “@”.",
        "/api/trust/accepted/": "One host, with or without a port, and without *.",
        "/api/trust/client-certificates/": "One host, with or without a port, and without *.",
        "/api/compose/collections/": "The name of the collection.",
        "/api/compose/collections/{collection}/": "The name of the request.",
        "/api/compose/environments/": "The name of the set.",
        "/api/compose/history/": "The number of the entry.",
    ]

    /// The parts of the path in braces.
    var parameters: [ConsoleParameter] {
        var before = ""
        return pattern.split(separator: "/").compactMap { part in
            before += "/"
            defer { before += part }
            return part.hasPrefix("{")
                ? .path(String(part.dropFirst().dropLast()), meanings[before]) : nil
        }
    }
}
