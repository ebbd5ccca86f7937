import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeFormats
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole ca show`.
struct CAShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the certificate authority.",
        discussion: """
            EXAMPLES
              pinhole ca show
              pinhole ca show --json | jq -r .pin
                  the pin of the authority's key
            """
    )

    @OptionGroup var options: CAOptions

    @Flag(help: "Print one JSON object a certificate.")
    var json = false

    func run() throws {
        let directory = AuthorityDirectory(path: try options.load().directory)
        for (index, certificate) in try directory.certificates().enumerated() {
            if index > 0, !json { StandardOutput.write("") }
            if json {
                StandardOutput.write(JSONLine.text(certificate.json(path: directory.certificatePath)))
            } else {
                StandardOutput.show(Self.text(certificate, path: directory.certificatePath))
            }
        }
        if options.authority.caDir == nil,
            ConfigurationConsent().unconfirmedAuthority(in: directory.path) != nil
        {
            StandardError.write(
                "pinhole: warning: you have neither made this CA here nor confirmed it (pinhole config trust)"
            )
        }
        guard !json else { return }
        do throws(AuthorityFailure) {
            let authority = try directory.load(now: LoopClock().now())
            if let warning = authority.expiryWarning(now: LoopClock().now()) {
                StandardError.write("pinhole: warning: \(warning)")
            }
        } catch {
            StandardError.write("pinhole: warning: \(error)")
        }
    }

    private static func text(_ certificate: Certificate, path: String) -> String {
        var fingerprint = Digest.text(certificate.fingerprintSHA256)
        // If the terminal is narrower than the fingerprint, a space divides the digits.
        if let width = Terminal.width(STDOUT_FILENO), fingerprint.count + 13 > width {
            fingerprint.insert(" ", at: fingerprint.index(fingerprint.startIndex, offsetBy: 48))
        }
        let rows = [
            ("subject", certificate.subject),
            ("issuer", certificate.isSelfSigned ? "itself" : certificate.issuer),
            ("valid", "\(certificate.notBefore.iso8601) to \(certificate.notAfter.iso8601)"),
            ("key", certificate.keyDescription),
            ("SHA-256", fingerprint),
            ("pin", certificate.pin),
            ("may sign for", certificate.nameConstraints?.summary ?? "every host"),
            ("file", FilePath.absolute(path)),
            ("used by", Places().reach(ofAuthorityIn: FilePath.folder(of: path)) ?? ""),
            ("to remove it", "pinhole ca uninstall --yes"),
        ].filter { !$0.1.isEmpty }
        return rows.map { "\($0.0.padded(to: 13))\(Plain.printable($0.1))" }.joined(separator: "\n")
    }
}

extension Certificate {
    /// The certificate of an authority as JSON.
    fileprivate func json(path: String) -> JSONObject {
        [
            "subject": subject, "issuer": issuer, "serial": serial, "notBefore": notBefore.iso8601,
            "notAfter": notAfter.iso8601, "key": keyDescription,
            "sha256": Digest.text(fingerprintSHA256), "pin": pin,
            "permitted": nameConstraints?.permitted, "file": path,
        ]
    }
}

extension NameConstraints {
    /// The permitted names and networks, names first.
    fileprivate var permitted: [String] { permittedNames + permittedNetworks.map(\.description) }

    fileprivate var summary: String { permitted.joined(separator: ", ") }
}
