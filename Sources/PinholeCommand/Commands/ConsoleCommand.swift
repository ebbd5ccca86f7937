import ArgumentParser
import Glibc
import PinholeClass
import PinholeConsole
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole console`.
struct ConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Serve the web console and its API for a capture.",
        discussion: """
            Shows a finished capture, or one that another process is recording; “pinhole proxy” has a console of its own. The URL holds a
            token, which stays the same: it is kept beside the capture, in FILE.token.

            EXAMPLES
              pinhole console --capture old.sqlite
              pinhole console --listen 9000
              curl -H "Authorization: Bearer $(cat old.sqlite.token)" http://127.0.0.1:8081/api/state

            docs/PROGRAMS.md#the-control-api describes the API.
            """
    )

    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var capture: CaptureOptions
    @OptionGroup var protos: ProtoOptions

    @Option(
        help: .value(
            "[addr:]port",
            "The address to listen on, on loopback (127.0.0.1:8081, or the next port that is free)."
        ),
        transform: { try FlagValue.parse($0, ConsoleChoice.init) }
    )
    var listen: ConsoleChoice?

    /// The port before the first port that is tried.
    private static let port: UInt16 = 8080

    func run() async throws {
        let loaded = try configuration.load(nil, capture)
        let file = try CaptureSource.path(in: loaded)
        _ = try CaptureSource.open(file)
        var subject = ConsoleSubject(capture: file, started: LoopClock().now())
        subject.manual = Places.manual(of: Places.program)
        subject.protobuf = try await protos.schema()
        subject.journal = ConsoleJournal()
        subject.filters = loaded.filters
        subject.routes = ClassAPI(nil).routes
        subject.commands = [
            ClientCommand(
                client: "any program",
                command: ShellWord.command([
                    "pinhole", "run", "--capture", FilePath.absolute(file), "--", "curl",
                    "https://example.com/",
                ])
            )
        ]
        let watch = SignalWatch([SIGTERM, SIGINT])
        var choice = listen ?? loaded.console
        // The command asks for a console, so a configuration without one does not count.
        if choice == .nowhere { choice = .automatic }
        guard
            let console = try await ConsoleStart(subject: subject, choice: choice, remedy: nil)
                .start(after: Self.port)
        else {
            return
        }
        StandardOutput.write("console \(console.url)")
        for await _ in watch.signals { break }
        console.stop()
    }
}
