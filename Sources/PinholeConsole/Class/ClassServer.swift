package import PinholeClass
package import PinholeCrypto
package import PinholeModel
package import PinholeRuntime
import PinholeStore

/// The pages of a class on one machine: each student sees the own lessons and traffic, and the teacher the results of all.
package final class ClassServer: Sendable {
    /// A student with the capture and the lessons that the student sees.
    package struct Member: Sendable {
        let name: String
        let password: String
        private(set) var subject: ConsoleSubject

        /// Creates a member.
        package init(name: String, password: String, subject: ConsoleSubject) {
            self.name = name
            self.password = password
            self.subject = subject
            self.subject.isReadOnly = true
        }
    }

    /// Returns the results of all students.
    package typealias Results = @Sendable () throws -> ClassGrade

    private let listener: ConsoleListener
    /// The SHA-256 of the certificate of the page, in hexadecimal; `nil` without TLS.
    package let fingerprint: String?

    private init(listener: ConsoleListener, fingerprint: String?) {
        self.listener = listener
        self.fingerprint = fingerprint
    }

    deinit { stop() }

    /// Starts to serve the pages.
    ///
    /// - Parameters:
    ///   - members: The students.
    ///   - teacher: The password of the teacher, whose name is “teacher”.
    ///   - results: Returns the results of all students.
    ///   - address: The address to listen on; port 0 lets the kernel choose a port.
    ///   - identity: The certificate for TLS, which is needed beyond loopback; `nil` for plain HTTP.
    ///   - hosts: The names of this machine that browsers may use.
    ///   - checks: The bounds of the checks that students ask for.
    ///   - limits: The bounds on what clients may use.
    /// - Returns: The server, which accepts connections already.
    /// - Throws: ``ConsoleFailure`` if a capture, the certificate or the address cannot be used.
    package static func start(
        _ members: [Member],
        teacher: String,
        results: @escaping Results,
        on address: SocketAddress,
        identity: Identity?,
        hosts: [Host] = [],
        checks: WorkBounds = .answers,
        limits: ConsoleLimits = ConsoleLimits()
    ) async throws(ConsoleFailure) -> ClassServer {
        guard identity != nil || address.isReachableHereOnly else { throw .notLoopback(address) }
        var apis: [ConsoleAPI] = []
        let budgets = ConsoleAPI.Budgets("pinhole.class", checks: checks)
        do throws(CaptureFailure) {
            for (index, member) in members.enumerated() {
                let user = ClassService.account(ofStudent: index)
                apis.append(try ConsoleAPI(member.subject, limits: limits, budgets: budgets, user: user))
            }
        } catch {
            throw .capture(error)
        }
        let security: ConsoleListener.Security?
        do throws(CryptoFailure) {
            security = try identity.map(ConsoleListener.Security.init)
        } catch {
            throw .address(address, "the certificate cannot be used: \(error)")
        }
        var limits = limits
        // Beside the streams of events, a browser has six connections. The teacher has a share, too.
        limits.admission.share = limits.streams + 8
        limits.admission.places = (members.count + 1) * limits.admission.share
        let sessions = ClassSessions(students: members.map { ($0.name, $0.password) }, teacher: teacher)
        let scheme: Scheme = identity == nil ? .http : .https
        let listener = try await ConsoleListener.start(on: address, limits: limits, security: security) {
            [apis] bound in
            ClassService(
                origin: ConsoleOrigin(scheme, bound, besides: hosts),
                cookie: ClassService.Cookie(port: bound.port, isSecure: identity != nil),
                sessions: sessions,
                apis: apis,
                pages: budgets.pages,
                results: results
            )
        }
        let fingerprint = identity.map { Digest.text($0.certificate.fingerprintSHA256) }
        return ClassServer(listener: listener, fingerprint: fingerprint)
    }

    /// Closes every connection and stops listening.
    package func stop() { listener.stop() }

    /// The address on which the server listens.
    package var address: SocketAddress { listener.address }

    /// The URL of the page.
    package var url: String { "\(fingerprint == nil ? "http" : "https")://\(listener.address)/" }
}
