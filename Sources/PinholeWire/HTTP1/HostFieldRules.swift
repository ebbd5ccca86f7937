import PinholeModel

/// The rules for the Host of a request (RFC 9112 §3.2, RFC 9110 §7.2).
enum HostFieldRules {
    /// Refuses a number of Host fields other than one, except none in HTTP/1.0.
    static func checkCount(_ count: Int, _ line: RequestLine) throws(HTTP1Failure) {
        if count > 1 { throw failure(.twoHosts, "expected one Host header, but \(count) came") }
        guard line.version == .http10 else {
            throw failure(.missingHost, "expected a Host header, which HTTP/1.1 demands")
        }
    }

    static func parse(_ value: ArraySlice<UInt8>) throws(HTTP1Failure) -> HostField {
        do throws(AddressFailure) {
            return try HostField(value)
        } catch {
            throw failure(
                .badHost,
                "expected \(error.expected) in Host, but \(HTTP1Failure.excerpt(value)) came"
            )
        }
    }

    private static func failure(_ code: HTTP1Failure.Code, _ reason: String) -> HTTP1Failure {
        HTTP1Failure(.peer, code, in: .request, "The request is refused: \(reason).")
    }
}
