import PinholeModel

extension AccessRules.Refusal {
    /// Creates the answer for a client that is not allowed to use the proxy.
    ///
    /// - Parameters:
    ///   - client: The address of the client.
    ///   - accept: The value of the request's Accept field; `nil` if it has none.
    /// - Returns: The answer, with status 403, 407 or 503.
    func answer(to client: IPAddress, accept: String?) -> Answer {
        switch self {
        case .address:
            return ErrorPage(
                status: 403,
                title: "This client may not use the proxy",
                detail: "The address \(client) is not in proxy.clients.",
                remedy: "Add it there, or connect from an address that is listed."
            ).answer(accept: accept)
        case .busy:
            var answer = ErrorPage(
                status: 503,
                title: "The proxy verifies too many passwords",
                detail: "So many logins wait to be verified that this one is not.",
                remedy: "Try again in a moment."
            ).answer(accept: accept)
            answer.fields.append(HeaderLine("Retry-After", "5"))
            return answer
        case .credentials:
            var answer = ErrorPage(
                status: 407,
                title: "The proxy asks for a user name and a password",
                detail: "No Proxy-Authorization came, or it does not fit.",
                remedy: "Put USER:PASSWORD@ before the proxy's host in the proxy URL."
            ).answer(accept: accept)
            answer.fields.append(
                HeaderLine("Proxy-Authenticate", "Basic realm=\"Pinhole\", charset=\"UTF-8\"")
            )
            return answer
        }
    }
}
