import ArgumentParser
import PinholeSession

/// `pinhole demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the proxy at work on a server of its own.",
        discussion: """
            The demo starts an HTTPS server with every kind of response and fault, and the proxy before it. Real \
            curl requests go through the proxy. The demo shows what curl and the proxy saw, and checks both. \
            It needs no Internet and no root, and changes nothing outside of its directory.

            EXAMPLES
              pinhole demo
                  eight steps
              pinhole demo --all --directory ./demo-output
                  also other answers and faults, a HAR file, and which kinds of pinning notice the proxy
            """
    )

    @Option(
        help: .value(
            "dir",
            "The directory for the CA, the capture, the HAR and the report. (default: a new directory under $TMPDIR)"
        )
    )
    var directory: String?

    @Flag(help: "Show every step; without it, the eight that show most.")
    var all = false

    func run() async throws {
        let world = try await DemoWorld.start(in: directory)
        var tour = DemoTour(world, isWhole: all)
        let isAsExpected = await tour.run()
        world.stop()
        guard isAsExpected else { throw ExitCode(ExitStatus.negative.rawValue) }
    }
}
