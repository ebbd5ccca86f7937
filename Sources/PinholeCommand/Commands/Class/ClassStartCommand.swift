import ArgumentParser
import Glibc
import Logging
import PinholeClass
import PinholeClient
import PinholeConsole
import PinholeCrypto
import PinholeFiles
import PinholeFormats
import PinholeLab
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// `pinhole class start`.
struct ClassStartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start the servers, the proxy and the console of a student's world.",
        discussion: """
            The kernel chooses the ports. Nothing outside of the folder is changed, and nothing listens for other machines.
            A second start in the same folder keeps the certificates and the results.

            EXAMPLES
              pinhole class start --seed mia
              pinhole class start --seed mia --language de --directory /tmp/mia
            """
    )

    @OptionGroup var seed: ClassSeedOptions
    @OptionGroup var language: ClassLanguageOptions
    @OptionGroup var options: ClassOptions

    func run() async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let folder = options.folder
        let (names, language) = try identity(folder)
        let journal = ConsoleJournal()
        let logger = StandardErrorLog.logger(.error, journal: journal)
        let world: ClassWorld
        let origin: Origin
        do {
            world = try ClassWorld(names, kept: folder.keptChains())
            try folder.write(world)
            origin = try await Origin.start(
                hosts: ClassServers.hosts(of: world),
                routes: ClassServers.routes(of: world.names)
            )
        } catch let failure as ClassFailure {
            throw CommandFailure(failure)
        } catch {
            throw CommandFailure(.couldNotRun, "the servers of the class could not be started: \(error)")
        }
        defer { origin.stop() }
        var configuration = Configuration()
        configuration.proxy.listen = [ListeningPoint(try SocketAddress(listening: "127.0.0.1:0"))]
        configuration.authority.directory = folder.authority
        configuration.capture.file = folder.capture
        configuration.tls.upstreamCAs = [folder.roots]
        configuration.resolve = [try Resolver.Override("*:*:127.0.0.1")]
        let proxy = try ProxySession(configuration, logger: logger, lasts: true, watcher: nil)
        let watch = SignalWatch([SIGTERM, SIGINT, SIGHUP])
        let bound = try await proxy.start(on: configuration.proxy.listen)
        let state = ClassFolder.State(
            names,
            language,
            secure: origin.secureAddress.port,
            plain: origin.plainAddress.port,
            proxy: bound.first?.address.port ?? 0
        )
        let console: ConsoleServer?
        do {
            try await prepare(folder, world, state, proxy)
            console = try await proxy.startConsole(
                configuration,
                beside: bound,
                configurationFile: nil,
                journal: journal,
                lessons: try ClassOptions.check(folder)
            )
        } catch let failure as ClassFailure {
            proxy.close()
            throw CommandFailure(failure)
        } catch {
            proxy.close()
            throw error
        }
        announce(folder, state, console, after: clock.now - began)
        for await signal in watch.signals where signal != SIGHUP { break }
        console?.stop()
        await proxy.drain()
        proxy.close()
    }

    /// The world and the language: those of the class in the folder, or new ones.
    private func identity(_ folder: ClassFolder) throws -> (ClassNames, ClassLanguage) {
        let old: ClassFolder.State?
        do throws(ClassFailure) {
            old = File.exists(at: folder.file("class.json")) ? try folder.state() : nil
        } catch {
            throw CommandFailure(error)
        }
        guard let student = seed.seed ?? old?.student else {
            throw ValidationError("expected --seed STUDENT, the name of the student")
        }
        if let old, student != old.student {
            throw CommandFailure(
                .usage,
                "\(folder.path) is the class of \(old.student), not of \(student)",
                remedy: "choose another folder: --directory \(student)"
            )
        }
        let new = try seed.seed(of: student)
        if let old, seed.secret.secret != nil, old.seed.material != new.material {
            throw CommandFailure(
                .usage,
                "\(folder.path) is a class that was started with another secret, or without one",
                remedy: "choose another folder: --directory DIR"
            )
        }
        // Without the option, a class goes on with the secret that it began with.
        let isKept = old != nil && seed.secret.secret == nil
        let chosen = language.language ?? old?.spoken ?? language.chosen
        return (ClassNames(isKept ? old?.seed ?? new : new, year: old?.year), chosen)
    }

    /// Writes the files of the lessons that do not exist yet, and records the visits of lesson 1.
    private func prepare(
        _ folder: ClassFolder,
        _ world: ClassWorld,
        _ state: ClassFolder.State,
        _ proxy: ProxySession
    ) async throws {
        try folder.write(state)
        try LessonFiles(world, state.spoken).writeMissing(to: folder)
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
                proxy.minter.authority
            )
            for place in ["world", "lesson-1"] { try folder.write(packets, to: "\(place)/\(name)") }
        }
    }

    private func announce(
        _ folder: ClassFolder,
        _ state: ClassFolder.State,
        _ console: ConsoleServer?,
        after time: Duration
    ) {
        let names = state.names
        StandardOutput.show(
            """
            The class of \(state.student) is ready in \(folder.path) (\(Plain.duration(time))).
              servers  *.\(names.domain): TLS on port \(state.secure), plain HTTP on port \(state.plain)
              proxy    127.0.0.1:\(state.proxy)
            """
        )
        if let console { StandardOutput.write("  console  \(console.url)#/classroom") }
        StandardOutput.write(
            """

            Now open another terminal:
              cd \(folder.path)
              pinhole class lesson 1

            Ctrl-C ends the class; the results stay in \(folder.path)/\(state.student).json.
            """
        )
    }
}
