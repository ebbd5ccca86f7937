import PinholeModel
import PinholeWire

/// The next request after a response that points elsewhere (RFC 9110 §15.4).
enum FetchRedirect {
    /// Makes the next request; `nil` if the response is the last one.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - request: The request that it answers.
    /// - Returns: The request to the URL in Location.
    /// - Throws: ``ClientFailure`` if Location is no URL that can be requested.
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
            // RFC 9110 §15.4: fields for one server must not be sent to another.
            next.fields.removeAll {
                ["authorization", "cookie", "host", "proxy-authorization"].contains($0.name.lowercased())
            }
        }
        return next
    }
}
