package import PinholeConsole
package import PinholeCrypto
package import PinholeModel
package import PinholeRuntime

/// The pages of a class on one machine: each student sees the own lessons and traffic, and the teacher the results of all.
package final class ClassServer: Sendable {
    /// A student with the capture and the lessons that the student sees.
    package struct Member: Sendable {
        let name: String
        let password: String
        let subject: ConsoleSubject
        let lessons: ClassCheck
    }

    private let students: ClassStudents
    private let listener: ConsoleListener
    /// The SHA-256 of the certificate of the page, in hexadecimal; `nil` without TLS.
    package let fingerprint: String?

    private init(listener: ConsoleListener, students: ClassStudents, fingerprint: String?) {
        self.listener = listener
        self.students = students
        self.fingerprint = fingerprint
    }

    deinit { stop() }

    /// Starts to serve the pages.
    ///
    /// - Parameters:
    ///   - members: The students.
    ///   - teacher: The password of the teacher, whose name is “teacher”.
    ///   - served: Carries out the teacher's actions.
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
        served: ServedClass,
        on address: SocketAddress,
        identity: Identity?,
        hosts: [Host] = [],
        checks: WorkBounds = .answers,
        limits: ConsoleLimits = ConsoleLimits()
    ) async throws(ConsoleFailure) -> ClassServer {
        guard identity != nil || address.isReachableHereOnly else { throw .notLoopback(address) }
        let budgets = ConsoleAPI.Budgets("pinhole.class", checks: checks)
        let students = ClassStudents(limits: limits, budgets: budgets)
        try students.replace(members, teacher: teacher)
        let security: ConsoleListener.Security?
        do throws(CryptoFailure) {
            security = try identity.map(ConsoleListener.Security.init)
        } catch {
            throw .address(address, "the certificate cannot be used: \(error)")
        }
        var limits = limits
        // Beside the streams of events, a browser has six connections. The teacher has a share, too.
        limits.admission.share = limits.streams + 8
        limits.admission.places = (ClassRoster.most + 1) * limits.admission.share
        let scheme: Scheme = identity == nil ? .http : .https
        let listener = try await ConsoleListener.start(on: address, limits: limits, security: security) {
            bound in
            ClassService(
                origin: ConsoleOrigin(scheme, bound, besides: hosts),
                cookie: ClassService.Cookie(port: bound.port, isSecure: identity != nil),
                students: students,
                served: served
            )
        }
        let fingerprint = identity.map { Digest.text($0.certificate.fingerprintSHA256) }
        return ClassServer(listener: listener, students: students, fingerprint: fingerprint)
    }

    /// Replaces the students.
    ///
    /// Students who stay keep their sessions, unless the password changed.
    ///
    /// - Throws: ``ConsoleFailure`` if a capture cannot be used; nothing is changed then.
    package func replace(_ members: [Member], teacher: String) throws(ConsoleFailure) {
        try students.replace(members, teacher: teacher)
    }

    /// Closes every connection and stops listening.
    package func stop() { listener.stop() }

    /// The address on which the server listens.
    package var address: SocketAddress { listener.address }

    /// The URL of the page.
    package var url: String { "\(fingerprint == nil ? "http" : "https")://\(listener.address)/" }
}
