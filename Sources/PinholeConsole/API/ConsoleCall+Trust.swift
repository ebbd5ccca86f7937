import PinholeModel
import PinholeSession

/// Requests that change the TLS settings of one server until the proxy ends.
extension ConsoleCall {
    func trust() async throws -> ConsoleAnswer { .json(try await control().trust()) }

    func acceptCertificate() async throws -> ConsoleAnswer {
        try await control().acceptCertificate(of: host, true)
        return try await trust()
    }

    func checkCertificate() async throws -> ConsoleAnswer {
        try await control().acceptCertificate(of: host, false)
        return try await trust()
    }

    /// Takes the file from the body, since browsers do not reveal its path, and keeps it in memory.
    func presentCertificate() async throws -> ConsoleAnswer {
        let order = try order(CertificateOrder.self)
        guard let content = Base64.decode(order.content.utf8), !content.isEmpty else {
            throw Problem.bad(
                "content",
                expected: "a file in Base64",
                found: String(order.content.prefix(20))
            )
        }
        try await control().presentCertificate(content, password: order.password ?? "", to: host)
        return try await trust()
    }

    func withdrawCertificate() async throws -> ConsoleAnswer {
        try await control().withdrawCertificate(from: host)
        return try await trust()
    }

    private var host: String { parameters.first ?? "" }
}
