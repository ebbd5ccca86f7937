package import Logging
import PinholeClient
import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
package import PinholeRuntime
package import PinholeSession

/// The servers and the proxy of a student's world, while they run.
package struct RunningClass {
    /// The choices for a world that its folder does not have.
    package struct Settings {
        /// The language of the lessons.
        var language: ClassLanguage
        /// The lessons of the class.
        var lessons: LessonChoice
        /// The address on which the servers of the lessons listen.
        var address = IPAddress.loopback
        /// Opens browsers for the console; `nil` if this program opens none.
        var browsers: (any ProxyBrowsers)?
        /// The user name and password that the proxy asks for, with a colon between; `nil` if it asks for none.
        var login: String?
        /// Whether the user has confirmed a folder that was begun elsewhere.
        var trustsFolder: Bool
        /// The keys of CAs that this process has used before, which need no confirmation.
        var authorities: Set<[UInt8]> = []

        /// Creates the choices for a class with one student.
        package init(
            language: ClassLanguage,
            lessons: LessonChoice,
            browsers: (any ProxyBrowsers)?,
            trustsFolder: Bool
        ) {
            self.language = language
            self.lessons = lessons
            self.browsers = browsers
            self.trustsFolder = trustsFolder
        }
    }

    let folder: ClassFolder
    /// The state of the class, as the folder has it.
    package let state: ClassFolder.State
    /// The proxy of the student.
    package let proxy: ProxySession
    /// The addresses on which the proxy listens.
    package let bound: [ListeningPoint]
    /// The configuration of the proxy.
    package let configuration: Configuration
    private let origin: Origin

    /// Starts the servers and the proxy, and writes the files of the lessons that do not exist.
    ///
    /// - Parameters:
    ///   - names: The names of the world.
    ///   - folder: The folder of the class.
    ///   - settings: The language, the address and the login.
    ///   - logger: Receives messages for users.
    /// - Throws: ``CommandFailure`` if files or ports cannot be used.
    package init(
        _ names: ClassNames,
        in folder: ClassFolder,
        _ settings: Settings,
        logger: Logger
    ) async throws(CommandFailure) {
        self.folder = folder
        try ConfigurationConsent().check(
            authorityOf: folder,
            trusting: settings.trustsFolder,
            using: settings.authorities
        )
        let world: ClassWorld
        do {
            world = try ClassWorld(names, kept: folder.keptChains(), lessons: settings.lessons)
            try folder.write(world)
            origin = try await Origin.start(
                hosts: ClassServers.hosts(of: world),
                routes: ClassServers.routes(of: world.names),
                on: settings.address,
                bounds: .lesson
            )
        } catch let failure as ClassFailure {
            throw CommandFailure(failure)
        } catch {
            throw CommandFailure("the servers of the class could not be started: \(error)")
        }
        var configuration = Configuration()
        configuration.authority.directory = folder.authority
        configuration.capture.file = folder.capture
        configuration.tls.upstreamCAs = [folder.roots]
        configuration.proxy.credentials = settings.login.map { .literal($0) }
        do throws(AddressFailure) {
            configuration.proxy.listen = [ListeningPoint(try SocketAddress(listening: "127.0.0.1:0"))]
            configuration.resolve = [try Resolver.Override("*:*:\(Host.address(settings.address).uriText)")]
        } catch {
            throw CommandFailure("the servers of the class could not be started: \(error)")
        }
        self.configuration = configuration
        proxy = try ProxySession(
            configuration,
            logger: logger,
            browsers: settings.browsers,
            lasts: true,
            watcher: nil
        )
        bound = try await proxy.start(on: configuration.proxy.listen)
        var state = ClassFolder.State(
            names,
            settings.language,
            secure: origin.secureAddress.port,
            plain: origin.plainAddress.port,
            proxy: bound.first?.address.port ?? 0
        )
        if settings.address != .loopback { state.address = Host.address(settings.address).uriText }
        state.login = settings.login
        if settings.lessons != .standard { state.lessons = settings.lessons.description }
        self.state = state
        do {
            try await prepare(world)
        } catch {
            proxy.close()
            origin.stop()
            throw (error as? ClassFailure).map(CommandFailure.init)
                ?? CommandFailure("the lessons could not be prepared: \(error)")
        }
    }

    /// Writes the files of the lessons that do not exist yet, and records the visits of lesson 1.
    private func prepare(_ world: ClassWorld) async throws {
        try folder.write(state)
        try LessonFiles(world, state.spoken).writeMissing(to: folder)
        guard state.choice.numbers.contains(1) else { return }
        let missing = LessonFiles.recordings.filter { !File.exists(at: folder.file("lesson-1/\($0)")) }
        guard !missing.isEmpty else { return }
        let names = world.names
        let visits = [
            ("plain.pcapng", "http://\(names.shop):\(state.plain)/basket?token=\(names.token)"),
            ("tls.pcapng", "https://\(names.clinic):\(state.secure)/\(names.document.name)"),
        ]
        for (name, url) in visits {
            let packets = try await WireRecording.pcapng(
                ClientRequest(try ClientURL(url)),
                trusting: world.deviceRoots,
                proxy.minter.authority,
                at: state.servers
            )
            for place in ["world", "lesson-1"] { try folder.write(packets, to: "\(place)/\(name)") }
        }
    }

    /// Ends the servers and the proxy, after open requests.
    package func stop() async {
        await proxy.drain()
        proxy.close()
        origin.stop()
    }
}
