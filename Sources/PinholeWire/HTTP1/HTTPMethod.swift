/// The properties of the methods of RFC 9110 §9.
package enum HTTPMethod {
    /// Whether a request of `method` may be sent again if the outcome of the first one is unknown (RFC 9110
    /// §9.2.2); `false` for methods that are not registered.
    package static func isIdempotent(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE": true
        default: false
        }
    }

    /// Whether RFC 9110 §9.3 gives no meaning to content in a request of `method`.
    ///
    /// Some servers do not read such content, and take it for the next request.
    package static func isWithoutContent(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "DELETE", "CONNECT", "TRACE": true
        default: false
        }
    }
}
