import PinholeConsole
import PinholeModel
import PinholeRuntime
import PinholeSession

/// Starts the console if the configuration asks for one.
struct ConsoleStart {
    /// The number of ports after the proxy's that are tried if the user chose none.
    private static let attempts: UInt16 = 20

    let subject: ConsoleSubject
    let choice: ConsoleChoice
    /// The remedy if the console cannot start; `nil` for a command that only serves a console.
    var remedy: String? = "--console none goes without"

    /// Starts the console.
    ///
    /// - Parameter port: The port after which free ports are tried, if the user chose none.
    /// - Returns: The console; `nil` if none is wanted.
    /// - Throws: ``CommandFailure`` if its token, capture or address cannot be used.
    func start(after port: UInt16) async throws(CommandFailure) -> ConsoleServer? {
        do throws(ConsoleFailure) {
            switch choice {
            case .nowhere: return nil
            case .at(let address):
                return try await ConsoleServer.start(subject, on: address, token: try token())
            case .automatic: return try await automatic(after: port, try token())
            }
        } catch {
            throw CommandFailure(error.description, remedy: choice == .automatic ? remedy : nil)
        }
    }

    private func automatic(
        after port: UInt16,
        _ token: AccessToken
    ) async throws(ConsoleFailure) -> ConsoleServer {
        let last = UInt16(min(Int(UInt16.max), Int(port) + Int(Self.attempts)))
        for port in port..<last {
            do throws(ConsoleFailure) {
                return try await ConsoleServer.start(
                    subject,
                    on: SocketAddress(.loopback, port: port + 1),
                    token: token
                )
            } catch {
                // Another program listens on this port, so the next one is tried.
                guard case .address = error else { throw error }
            }
        }
        return try await ConsoleServer.start(subject, on: SocketAddress(.loopback, port: 0), token: token)
    }

    private func token() throws(ConsoleFailure) -> AccessToken {
        try ConfigurationConsent().token(beside: subject.capture)
    }
}
