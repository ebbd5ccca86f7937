import PinholeConsole
import PinholeModel
import PinholeRuntime

/// Starts the console where it is wanted.
struct ConsoleStart {
    /// Ports after the proxy's that are tried where nobody chose one.
    private static let attempts: UInt16 = 20

    let subject: ConsoleSubject
    let choice: ConsoleChoice
    /// What helps whoever cannot have one; `nil` where a console is all that was asked for.
    var remedy: String? = "--console none goes without"

    /// Starts it.
    ///
    /// - Parameter port: The port that it comes after, where nobody chose one.
    /// - Returns: The console; `nil` where none is wanted.
    /// - Throws: ``CommandFailure`` when its token, capture or address cannot be used.
    func start(after port: UInt16) async throws(CommandFailure) -> ConsoleServer? {
        switch choice {
        case .nowhere: return nil
        case .at(let address):
            do throws(ConsoleFailure) {
                return try await ConsoleServer.start(subject, on: address, token: try token())
            } catch {
                throw CommandFailure(.couldNotRun, error.description)
            }
        case .automatic:
            do throws(ConsoleFailure) {
                return try await automatic(after: port, try token())
            } catch {
                throw CommandFailure(.couldNotRun, error.description, remedy: remedy)
            }
        }
    }

    private func automatic(
        after port: UInt16,
        _ token: AccessToken
    ) async throws(ConsoleFailure) -> ConsoleServer {
        guard let loopback = IPAddress(bytes: [127, 0, 0, 1]) else {
            preconditionFailure("four bytes are IPv4")
        }
        let last = UInt16(min(Int(UInt16.max), Int(port) + Int(Self.attempts)))
        for port in port..<last {
            do throws(ConsoleFailure) {
                return try await ConsoleServer.start(
                    subject,
                    on: SocketAddress(loopback, port: port + 1),
                    token: token
                )
            } catch {
                // Somebody else listens there.
                guard case .address = error else { throw error }
            }
        }
        return try await ConsoleServer.start(subject, on: SocketAddress(loopback, port: 0), token: token)
    }

    private func token() throws(ConsoleFailure) -> AccessToken {
        try AccessToken.kept(at: subject.capture + ".token")
    }
}
