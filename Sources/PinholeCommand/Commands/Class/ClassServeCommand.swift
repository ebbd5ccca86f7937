import ArgumentParser
import Glibc
import Logging
import PinholeClass
import PinholeConsole
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole class serve`.
struct ClassServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Start the worlds of all students on this machine, with a page for each.",
        discussion: """
            Each student logs in to the page, and sees only their own lessons and traffic. The teacher logs in as
            “teacher”, and sees the results of all as they change. The passwords and the secret of the class are made at
            the first start; the files passwords.csv and teacher.key in the folder have them. The list is read again when
            it changes.

            The page and all servers are on loopback. With --open, the page and the servers of the lessons listen at the
            address of --listen, for other machines. The page then speaks TLS, with a certificate whose fingerprint is
            printed. The proxies stay on loopback, and ask for the student's name and password.

            EXAMPLES
              pinhole class serve --students class.csv
                  one name in each line; the folders are in ./classes
              pinhole class serve --students class.csv
                  lines such as: anna1,Anna Müller,10b
              pinhole class serve --students class.csv --lessons 1-5,9,10
                  chosen lessons instead of the eight
              pinhole class serve --students class.csv --listen 192.0.2.10:8443 --open
                  for the machines in the classroom
            """
    )

    @Option(
        help: .value("file", "A file with the students: lines of ID,DISPLAY NAME,GROUP, or of a name alone.")
    )
    var students: String

    @Option(help: .value("dir", "The folder of all students' folders."))
    var directory = "classes"

    @Option(
        help: .value(
            "address:port",
            "The address of the page; port 0 takes the one of the last start, or lets the kernel choose."
        ),
        transform: { text in
            do throws(AddressFailure) {
                return try SocketAddress(listening: text)
            } catch {
                throw ValidationError("--listen: \(error)")
            }
        }
    )
    var listen = SocketAddress(.loopback, port: 0)

    @Flag(
        help: "Let other machines open the page and the servers of the lessons, at the address of --listen."
    )
    var open = false

    @Option(help: .value("file", "A certificate with its key for the page (PEM), instead of one of its own."))
    var certificate: String?

    @Flag(help: "Let the check of lesson 7 run the students' programs on this machine, as you.")
    var runClients = false

    @Option(
        help: .value("number", "The time of a processor that the check of a lesson may take, in seconds.")
    )
    var checkSeconds = 5

    @OptionGroup var unit: ClassUnitOptions
    @OptionGroup var language: ClassLanguageOptions

    @OptionGroup var secret: ClassSecretOptions

    @OptionGroup var trust: ClassTrustOptions

    func validate() throws {
        guard !listen.address.isUnspecified else {
            throw ValidationError(
                "--listen: expected an address of this machine, which students can open, found \(listen.address)"
            )
        }
        guard listen.address.isLoopback || open else {
            throw ValidationError(
                "--listen \(listen): expected --open beside it, since other machines reach this address"
            )
        }
        guard 1...600 ~= checkSeconds else {
            throw ValidationError("--check-seconds: expected 1 to 600, found \(checkSeconds)")
        }
        guard !directory.isEmpty else {
            throw ValidationError("--directory: expected a folder, found an empty text")
        }
    }

    func run() async throws {
        let began = ContinuousClock.now
        let consent = ConfigurationConsent()
        try consent.check(classesIn: directory, trusting: trust.trustFolder)
        let lessons = try unit.kept(in: directory)
        let secret = try classSecret()
        consent.give(classesIn: directory)
        let served = ServedClass(
            ClassFiles(list: students, directory: directory),
            ServedClass.Settings(
                secret: secret,
                language: language.language,
                usualLanguage: language.chosen,
                lessons: lessons,
                address: open ? listen.address : .loopback,
                trustsFolder: trust.trustFolder,
                logger: StandardErrorLog.logger(.error),
                browsers: { OpenedBrowsers() },
                check: { [runClients] folder throws(ClassFailure) in
                    try ClassOptions.check(folder, runsClient: runClients)
                },
                show: { StandardError.write("pinhole: \($0)") }
            )
        )
        let watch = SignalWatch([SIGTERM, SIGINT, SIGHUP])
        let roster = try await served.start()
        lessons.keep(in: directory)
        let server: ClassServer
        do {
            server = try await serve(served, roster)
        } catch {
            await served.stop()
            throw error
        }
        let following = Task { await served.follow(server) }
        announce(roster, server, after: ContinuousClock.now - began)
        for await signal in watch.signals where signal != SIGHUP { break }
        following.cancel()
        server.stop()
        await served.stop()
    }

    /// The secret of the option, or the one that the folder keeps.
    private func classSecret() throws -> [UInt8] {
        guard secret.secret == nil else { return try secret.bytes() }
        let kept = try ClassSecret.kept(in: directory)
        if kept.isEmpty {
            StandardError.write(
                "pinhole: warning: this class began without a secret, so students can compute most answers; a class in another folder (--directory DIR) gets one"
            )
        }
        return kept
    }

    private func serve(
        _ served: ServedClass,
        _ roster: ClassRoster
    ) async throws(CommandFailure) -> ClassServer {
        let members = try await served.members()
        do {
            let identity = try identity()
            // Students may open the page by a name that only the teacher's certificate has.
            let named = identity?.certificate.subjectAlternativeNames ?? []
            func start(on address: SocketAddress) async throws(ConsoleFailure) -> ClassServer {
                try await ClassServer.start(
                    members,
                    teacher: roster.teacher,
                    served: served,
                    on: address,
                    identity: identity,
                    hosts: hosts + named,
                    checks: checks
                )
            }
            // Open pages find the class again on the port of the last start, unless another program has it.
            var server: ClassServer?
            if listen.port == 0, let port = PagePort.kept(in: directory) {
                server = try? await start(on: SocketAddress(listen.address, port: port))
            }
            let running = if let server { server } else { try await start(on: listen) }
            PagePort.keep(running.address.port, in: directory)
            return running
        } catch {
            throw CommandFailure(error) ?? CommandFailure("\(error)")
        }
    }

    /// The bounds of the students' checks.
    private var checks: WorkBounds {
        var bounds = WorkBounds.answers
        bounds.processorTime = .seconds(checkSeconds)
        // A check may wait for a program, and for other checks that use the processors.
        bounds.time = max(bounds.time, .seconds(4 * checkSeconds))
        return bounds
    }

    /// The names of this machine that browsers in the classroom may use.
    private var hosts: [Host] { open ? MachineNames.all() : [] }

    /// The certificate of the page; `nil` for a page on loopback.
    private func identity() throws -> Identity? {
        if let certificate {
            return try own(certificate)
        }
        guard open else { return nil }
        return try PageIdentity.kept(
            in: directory,
            for: [.address(listen.address)] + hosts,
            now: LoopClock().now()
        )
    }

    /// Reads the teacher's own certificate.
    private func own(_ file: String) throws(CommandFailure) -> Identity {
        let identity: Identity
        do throws(CommandFailure) {
            identity = try Configuration.ListenerCertificate(file: file).identity()
        } catch {
            throw CommandFailure(
                error.status,
                "--certificate: \(error.message)",
                remedy: "--certificate takes one PEM file with certificate and key, without a passphrase"
            )
        }
        let now = LoopClock().now()
        guard identity.certificate.notBefore <= now, now < identity.certificate.notAfter else {
            throw CommandFailure(
                "--certificate: \(file) is valid from \(identity.certificate.notBefore.iso8601) to "
                    + "\(identity.certificate.notAfter.iso8601), and not now",
                remedy: "renew the certificate, or leave out --certificate: Pinhole then makes one"
            )
        }
        return identity
    }

    private static let madeHere =
        "Tell the students the fingerprint: browsers warn, since no CA signed the certificate of the page."
    private static let ownCertificate = """
        Browsers warn unless they trust the CA of your certificate, and it has the name that they open. The students can
        compare the fingerprint.
        """

    private func announce(_ roster: ClassRoster, _ server: ClassServer, after time: Duration) {
        StandardOutput.show(
            """
            The class of \(roster.students.count) is ready in \(directory) (\(Plain.duration(time))).
              page       \(server.url)
              teacher    log in as “\(ClassRoster.teacherName)”
              passwords  \(roster.path)
            """
        )
        let key = "\(directory)/\(ClassSecret.file)"
        if let path = secret.secret ?? (File.exists(at: key) ? key : nil) {
            StandardOutput.write("  secret     \(path)")
        }
        if let fingerprint = server.fingerprint { StandardOutput.write("  SHA-256    \(fingerprint)") }
        if open {
            StandardOutput.write(
                """

                Other machines reach the page, with a password, and the servers of the lessons, without one.
                \(certificate == nil ? Self.madeHere : Self.ownCertificate)
                """
            )
        }
        StandardOutput.write("\nCtrl-C ends the class; the results stay in \(directory).")
    }
}
