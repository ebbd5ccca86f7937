import ArgumentParser
import Glibc
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole pins show`, the default of `pinhole pins`.
struct PinsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the pins of servers, certificates and keys (the default).",
        discussion: """
            A server is a URL, or a host (an address, localhost, a name with a dot or a port) if no file has that name. The
            command makes one handshake with it, and verifies its chain against the system's CAs. If that fails, the pins
            have a warning, since they may be those of an attacker. Files hold certificates or keys in PEM or DER, or are
            PKCS#12 files. A key without a certificate counts as a backup key.

            The exit code is 1 if a server's chain is not trusted.

            EXAMPLES
              pinhole pins https://example.com
              pinhole pins localhost:8443
              pinhole pins https://example.com backup.pub --format trustkit
              pinhole pins chain.pem --format okhttp --host api.example.com
              pinhole pins identity.p12 --passphrase-file passphrase.txt --json
            """
    )

    @Argument(help: .value("url|host|file", "https://host[:port], host[:port], or a file."))
    var sources: [String]

    @Option(help: "Print one notation only: \(PinNotation.allCases.map(\.rawValue).joined(separator: ", ")).")
    var format: PinNotation?

    @Option(help: .value("host", "The host that the pins of files are for."), transform: FlagValue.host)
    var host: Host?

    @Option(
        name: [.customLong("passphrase-file"), .customLong("password-file")],
        help: .value("file", "A file whose first line is the passphrase of PKCS#12 files.")
    )
    var passphraseFile: String?

    @Option(
        help: .value("host:port:addr", "Connect to ADDR for HOST:PORT, as curl does."),
        transform: FlagValue.override
    )
    var resolve: [Resolver.Override] = []

    @Flag(help: "Pin the CAs of the chain as well, in the notation of --format.")
    var withCA = false

    @Flag(help: "Print one JSON object a key.")
    var json = false

    func run() async throws {
        let source = PinSource(
            host: host,
            passphrase: try passphraseFile.map { try TextFile.firstLine($0, for: "the passphrase") } ?? "",
            overrides: resolve
        )
        var keys: [PinnedKey] = []
        var isDoubtful = false
        for argument in sources {
            let (found, fault) = try await source.read(argument)
            keys += found
            guard let fault else { continue }
            isDoubtful = true
            StandardError.write(
                "pinhole: warning: the chain of \(argument) is not trusted: \(Plain.printable(fault)). "
                    + "An attacker may have sent these pins; compare them over another way."
            )
        }
        let report = PinListing(keys: keys, withAuthorities: withCA)
        if json {
            for key in report.keys { StandardOutput.write(JSONLine.text(key.json)) }
        } else if let format {
            guard let text = report.text(format) else {
                throw CommandFailure("no pins: \(report.notes(format).joined(separator: "; "))")
            }
            StandardOutput.write(text)
        } else {
            StandardOutput.write(report.text(width: Terminal.width(STDOUT_FILENO)))
        }
        for note in json ? [] : report.notes(format) { StandardError.write("pinhole: note: \(note)") }
        if format == .raw, !json {
            StandardError.write(
                "pinhole: warning: these are hashes of raw keys (SecKeyCopyExternalRepresentation), no SPKI pins: "
                    + "only hand-written code compares them."
            )
        }
        if isDoubtful { throw ExitCode(ExitStatus.negative.rawValue) }
    }
}
