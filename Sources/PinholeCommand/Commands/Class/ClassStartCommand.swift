import ArgumentParser
import Glibc
import Logging
import PinholeClass
import PinholeConsole
import PinholeRuntime
import PinholeSession

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
              pinhole class start --seed mia --lessons 1-3,9
                  chosen lessons instead of the eight
            """
    )

    @OptionGroup var seed: ClassSeedOptions
    @OptionGroup var unit: ClassUnitOptions
    @OptionGroup var language: ClassLanguageOptions
    @OptionGroup var options: ClassOptions
    @OptionGroup var trust: ClassTrustOptions

    func run() async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let folder = options.folder
        let (names, language) = try ClassIdentity(
            student: seed.seed,
            secret: seed.secret.secret == nil ? nil : try seed.secret.bytes(),
            language: language.language,
            usual: language.chosen
        ).resolved(in: folder)
        let journal = ConsoleJournal()
        let settings = RunningClass.Settings(
            language: language,
            lessons: try unit.chosen(in: folder),
            browsers: OpenedBrowsers(),
            trustsFolder: trust.trustFolder
        )
        let watch = SignalWatch([SIGTERM, SIGINT, SIGHUP])
        let running = try await RunningClass(
            names,
            in: folder,
            settings,
            logger: StandardErrorLog.logger(.error, journal: journal)
        )
        let console: ConsoleServer?
        do {
            console = try await running.proxy.startConsole(
                running.configuration,
                beside: running.bound,
                configurationFile: nil,
                journal: journal,
                lessons: try ClassOptions.check(folder)
            )
        } catch {
            await running.stop()
            throw error
        }
        announce(folder, running.state, console, after: clock.now - began)
        for await signal in watch.signals where signal != SIGHUP { break }
        console?.stop()
        await running.stop()
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
              pinhole class lesson \(state.choice.numbers.first ?? 1)

            Ctrl-C ends the class; the results stay in \(folder.path)/\(state.student).json.
            """
        )
    }
}
