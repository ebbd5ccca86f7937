import ArgumentParser
import PinholeClass
import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeSession
import PinholeWire

/// `pinhole class client`.
struct ClassClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Let the banking app on the phone log in, through the proxy of the class.",
        discussion: """
            The exit code is 1 if the app refuses the server.

            EXAMPLES
              pinhole class client
                  the phone trusts its own roots alone
              pinhole class client --trust ca/rootCA.pem
                  the CA of the proxy is installed on the phone
            """
    )

    @Option(help: .value("file", "A CA to install on the phone (PEM)."))
    var trust: String?

    @OptionGroup var options: ClassOptions

    func run() async throws {
        let check = try options.check()
        var installed: [Certificate] = []
        if let trust {
            let lines = try TextFile.lines(trust, for: "the roots of the phone")
            installed = try CommandFailure.wrapping("\(trust)") {
                try Certificate.parsePEM(lines.joined(separator: "\n"))
            }
        }
        let result: Result<ClientResponse, ClientFailure>
        result = try await check.logIn(installed: installed)
        switch result {
        case .success(let response):
            let text = Plain.printable(String(decoding: response.body, as: UTF8.self).trimmed)
            let done = check.say("the app is logged in", "die App ist angemeldet")
            StandardOutput.write("\(done) (status \(response.head.status)): \(text)")
        case .failure(let failure):
            let end = check.say("the app ended the connection", "die App hat die Verbindung beendet")
            StandardOutput.show(check.quoting(end, Plain.printable(failure.detail)))
            throw ExitCode(ExitStatus.negative.rawValue)
        }
    }
}
