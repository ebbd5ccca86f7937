import ArgumentParser
import PinholeCrypto
import PinholeModel
import PinholePolicies
import PinholeRuntime
import PinholeSession
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
        help: .value(
            "host",
            "A host to compare, also the host of pins in files that name none; may be repeated."
        ),
        transform: FlagValue.host
    )
    var host: [Host] = []

    @Option(help: .value("time", "The moment of the comparison (now)."), transform: FlagValue.moment)
    var at: Timestamp?

    @OptionGroup var access: FilesOption

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
            throw CommandFailure("the files name no host", remedy: "say whose pins they are: --host HOST")
        }
        let output = ParityOutput(files: files)
        for row in parity.rows { json ? output.writeJSON(row) : output.show(row) }
        let different = parity.rows.count { !$0.differences.isEmpty }
        if !json {
            VerdictTable(rows: parity.rows.map(\.verdict)).show()
            let hosts = Plain.count(parity.rows.count, "host")
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
        return try access.policy(path, options: options).comparedPolicy
    }
}
