import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeFormats
import PinholeModel
import PinholePolicies
import PinholeRuntime
import PinholeTrust

/// `pinhole pins compare`.
struct PinsCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare the pins of several files, host by host.",
        discussion: """
            The apps and scripts of one service pin the same server, each in a file of its own platform. Pinhole says for
            each host whether the files mean the same: pins, subdomains, expiration, and whether another key is refused.
            Every file that pinhole pins check reads can be compared.

            The exit code is 1 if the files differ.

            EXAMPLES
              pinhole pins compare network_security_config.xml Info.plist Pins.kt
              pinhole pins compare android.xml pin.txt --host api.example.com
                  the host of files that name none, such as a value of curl's --pinnedpubkey
              pinhole pins compare android.xml Info.plist --json
            """
    )

    @Argument(help: "The policy files, two or more; “-” is standard input.")
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "A host to compare, also the host of pins in files that name none; may be repeated.",
            valueName: "host"
        ),
        transform: {
            try FlagValue.parse(InternationalName.ascii($0)) { (text) throws(AddressFailure) in try Host(text)
            }
        }
    )
    var host: [Host] = []

    @Option(
        help: ArgumentHelp("The moment of the comparison (now).", valueName: "time"),
        transform: { text in
            try FlagValue.parse(text) { (text) throws(AddressFailure) in
                try Moment(text, now: LoopClock().now()).timestamp
            }
        }
    )
    var at: Timestamp?

    @Option(help: "The SDK that an Android app was made for.")
    var targetSdk = 34

    @Flag(help: "Print one JSON object for each host.")
    var json = false

    func validate() throws {
        guard files.count > 1 else {
            throw ValidationError("expected two files or more, found \(files.count)")
        }
        guard Set(files).count == files.count else {
            throw ValidationError("expected different files, found one of them twice")
        }
    }

    func run() throws {
        var policies: [any TrustPolicy] = []
        for file in files { policies.append(try policy(file)) }
        let parity = PinParity(policies, for: host, at: at ?? LoopClock().now(), digest: Digest.sha256)
        guard !parity.rows.isEmpty else {
            throw CommandFailure(
                .couldNotRun,
                "the files name no host",
                remedy: "say whose pins they are: --host HOST"
            )
        }
        for row in parity.rows {
            if json {
                StandardOutput.write(JSONLine.text(ParityJSON(row, files: files)))
            } else {
                show(row)
            }
        }
        let different = parity.rows.count { !$0.differences.isEmpty }
        if !json {
            let hosts = "\(parity.rows.count) host\(parity.rows.count == 1 ? "" : "s")"
            StandardOutput.show(
                different == 0
                    ? "\(hosts): the files mean the same" : "\(hosts): the files differ for \(different)"
            )
        }
        if different > 0 { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    private func policy(_ path: String) throws(CommandFailure) -> any TrustPolicy {
        var options = PolicyFile.Options()
        options.targetSdk = targetSdk
        options.hosts = host
        do throws(PolicyFailure) {
            return try PolicyFile.read(
                PolicyFile.content(of: path == "-" ? "/dev/stdin" : path),
                name: path,
                options: options,
                certificates: PolicyFile.certificates(beside: path),
                files: PolicyFile.files(beside: path)
            ).policy
        } catch {
            throw CommandFailure(.couldNotRun, error.description)
        }
    }

    private func show(_ row: PinParity.Row) {
        let style = Style.forDescriptor(STDOUT_FILENO)
        let verdict =
            row.differences.isEmpty
            ? style.paint("same", .green)
            : style.paint("different \(row.differences.map(\.rawValue).joined(separator: ", "))", .red)
        StandardOutput.show("\(row.host): \(verdict)")
        let width = files.map { TextLayout.columns(of: $0) }.max() ?? 0
        for (file, meaning) in zip(files, row.meanings) {
            let name = file.padded(to: width)
            StandardOutput.show("  \(name)  \(meaning.map(Self.text) ?? "no pins")")
        }
        for pin in Self.disputed(row) {
            let holders = zip(files, row.meanings).filter { $1?.pins.contains(pin) == true }.map(\.0)
            StandardOutput.show("  \(pin)\n      only in \(holders.joined(separator: " and "))")
        }
    }

    /// The pins that some of the files lack, in the order of the files.
    private static func disputed(_ row: PinParity.Row) -> [String] {
        var seen: Set<String> = []
        return row.meanings.flatMap { $0?.pins ?? [] }.filter { pin in
            seen.insert(pin).inserted && !row.meanings.allSatisfy { $0?.pins.contains(pin) == true }
        }
    }

    private static func text(_ meaning: PinParity.Meaning) -> String {
        [
            "\(meaning.pins.count) pin\(meaning.pins.count == 1 ? "" : "s")"
                + (meaning.lists.count > 1 ? " in \(meaning.lists.count) lists that must all match" : ""),
            meaning.includesSubdomains ? "with subdomains" : "this host alone",
            meaning.expiration.map { "until \(CalendarDate.text($0))" } ?? "no expiration",
            meaning.isEnforced ? "enforced" : "not enforced",
        ].joined(separator: ", ")
    }
}

/// A host of a comparison as JSON.
private struct ParityJSON: Encodable {
    struct File: Encodable {
        let file: String
        let pins: [String]
        let lists: [[String]]
        let includesSubdomains: Bool?
        let expiration: String?
        let isEnforced: Bool?
    }

    let host: String
    let differences: [String]
    let files: [File]

    init(_ row: PinParity.Row, files: [String]) {
        host = row.host.description
        differences = row.differences.map(\.rawValue)
        self.files = zip(files, row.meanings).map { file, meaning in
            File(
                file: file,
                pins: meaning?.pins ?? [],
                lists: (meaning?.lists ?? []).map { list in list.sorted() }.sorted {
                    $0.lexicographicallyPrecedes($1)
                },
                includesSubdomains: meaning?.includesSubdomains,
                expiration: meaning?.expiration.map(CalendarDate.text),
                isEnforced: meaning?.isEnforced
            )
        }
    }
}
