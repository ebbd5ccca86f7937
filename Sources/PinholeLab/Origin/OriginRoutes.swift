/// The routes of an origin: a table of paths and handlers.
///
/// A pattern is a path (`/json`), or a path that ends in `/*` and stands for everything below it.
package struct OriginRoutes: Sendable {
    /// Makes the answer to a request.
    package typealias Handler = @Sendable (OriginRequest) -> [OriginStep]

    /// A row of the table.
    struct Route: Sendable {
        /// Makes the answer.
        let handler: Handler
        /// Whether the answer is made as soon as the head of the request is there, before the body.
        let answersEarly: Bool
        /// The part of the path that the `*` of the pattern stands for.
        var remainder = ""
    }

    /// Called with early data as soon as it comes; the request in it is answered like any other.
    package var earlyData: (@Sendable ([UInt8]) -> Void)?
    private var routes: [String: Route] = [:]

    /// Creates an empty table; every request is answered with 404.
    package init() {}

    /// Sets the handler for a pattern.
    ///
    /// - Parameters:
    ///   - pattern: The path.
    ///   - answersEarly: Whether the answer is made as soon as the head is there, before the body.
    ///   - handler: Makes the answer.
    package mutating func set(
        _ pattern: String,
        answersEarly: Bool = false,
        _ handler: @escaping Handler
    ) {
        routes[pattern] = Route(handler: handler, answersEarly: answersEarly)
    }

    func route(for path: String) -> Route {
        if let exact = routes[path] { return exact }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        if var route = routes["\(folder)*"] {
            route.remainder = String(path.dropFirst(folder.count))
            return route
        }
        return Route(
            handler: { request in
                request.reply(
                    404,
                    type: "text/plain",
                    body: Array("There is nothing at \(request.path).\n".utf8)
                )
            },
            answersEarly: false
        )
    }
}
