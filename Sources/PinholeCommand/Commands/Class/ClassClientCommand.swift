import ArgumentParser
import PinholeClass
import PinholeClient
import PinholeCrypto
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

    @Option(help: ArgumentHelp("A CA to install on the phone (PEM).", valueName: "file"))
    var trust: String?

    @OptionGroup var options: ClassOptions

    func run() async throws {
        let check = try options.check()
        var roots: [Certificate] = []
        for path in [check.folder.roots, trust].compactMap(\.self) {
            let lines = try TextFile.lines(path, for: "the roots of the phone")
            do throws(CryptoFailure) {
                roots += try Certificate.parsePEM(lines.joined(separator: "\n"))
            } catch {
                throw CommandFailure(.couldNotRun, "\(path): \(error)")
            }
        }
        let app = PhoneApp(check.state, trusting: roots)
        let last = check.lastRecord
        do throws(ClientFailure) {
            let response = try await app.logIn()
            let text = Plain.printable(String(decoding: response.body, as: UTF8.self).trimmed)
            await check.awaitRecord(after: last)
            StandardOutput.write("the app is logged in (status \(response.head.status)): \(text)")
        } catch {
            await check.awaitRecord(after: last)
            StandardOutput.show("the app ended the connection: \(Plain.printable(error.detail))")
            throw ExitCode(ExitStatus.negative.rawValue)
        }
    }
}
