/// What the methods of RFC 9110 §9 promise.
package enum HTTPMethod {
    /// Whether a request of `method` may be sent twice when nobody knows what became of the first one
    /// (RFC 9110 §9.2.2); methods that are not registered promise nothing.
    package static func isIdempotent(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE": true
        default: false
        }
    }
}
