import PinholeModel
import PinholeWire

/// What follows from a response that points elsewhere (RFC 9110 §15.4).
enum FetchRedirect {
    /// The next request; `nil` where the response is the last one.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - request: What it answers.
    /// - Returns: The request to the place that Location names.
    /// - Throws: ``ClientFailure`` where Location is no URL that can be asked.
    static func next(
        after head: ResponseHead,
        to request: ClientRequest
    ) throws(ClientFailure) -> ClientRequest? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head.fields.first("location")
        else { return nil }
        var next = request
        next.url = try request.url.resolving(location)
        let becomesGet =
            switch head.status {
            case 303: request.method != "HEAD" && request.method != "GET"
            case 301, 302: request.method == "POST"
            default: false
            }
        if becomesGet {
            next.method = "GET"
            next.body = []
            next.fields.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        if !next.url.isSameOrigin(as: request.url) {
            // RFC 9110 §15.4: what was meant for one server is nobody else's business.
            next.fields.removeAll {
                ["authorization", "cookie", "host", "proxy-authorization"].contains($0.name.lowercased())
            }
        }
        return next
    }
}
