import PinholeClass
import PinholeConsole
import PinholeCrypto
import PinholeProxy
import PinholeRuntime
import PinholeSession
import PinholeWire

extension ProxySession {
    /// Serves the console, and keeps clients of the proxy from connecting to it.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, with the address of the console.
    ///   - bound: The addresses on which the proxy listens.
    ///   - configurationFile: The configuration file; `nil` for none.
    ///   - journal: The messages of the proxy.
    ///   - lessons: The lessons of a class that the console shows; `nil` for none.
    ///   - isOfRun: Whether the proxy serves one program only, and ends with it.
    ///   - isShown: Whether the user is told of the console; otherwise nobody looks at it at first.
    /// - Returns: The console; `nil` if none is wanted.
    /// - Throws: ``CommandFailure`` if the console cannot be served.
    func startConsole(
        _ configuration: Configuration,
        beside bound: [ListeningPoint],
        configurationFile: String?,
        journal: ConsoleJournal,
        lessons: ClassCheck? = nil,
        isOfRun: Bool = false,
        isShown: Bool = true
    ) async throws(CommandFailure) -> ConsoleServer? {
        guard let file = configuration.capture.file else {
            guard case .at = configuration.console else { return nil }
            throw CommandFailure.usage(
                "expected a capture for the console to show, found none",
                remedy: "--capture FILE, or --console none"
            )
        }
        var subject = ConsoleSubject(capture: file, started: LoopClock().now())
        subject.manual = Places.manual(of: Places.program)
        subject.proxy = bound.filter { $0.mode.isProxy }.map(\.address.description)
        let root = minter.authority.root
        subject.authority = ConsoleSubject.Authority(
            path: AuthorityDirectory(path: configuration.authority.directory).certificatePath,
            sha256: Digest.text(root.fingerprintSHA256),
            notAfter: root.notAfter
        )
        subject.protobuf = try await ProtobufSchema.read(configuration.protos)
        subject.journal = journal
        subject.routes = ClassAPI(lessons).routes
        subject.store = store
        subject.commands =
            lines(of: bound)?.map { ClientCommand(client: $0.client, command: $0.command) } ?? []
        subject.control = control(of: bound, file: configurationFile, journal)
        let console = try await ConsoleStart(subject: subject, choice: configuration.console)
            .start(after: bound.first?.address.port ?? 8080)
        if let console {
            protect(console.address)
            try ConsoleAnnouncement.announce(console.address, beside: file, isOfRun: isOfRun)
            if isShown { breakpoints.attend() }
        }
        return console
    }
}
