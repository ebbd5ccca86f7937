import ArgumentParser
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeSession

/// `--upstream-ca`, `--danger-accept` and `--client-certificate`: TLS settings for servers.
struct HostTrustOptions: ParsableArguments {
    @Option(help: .value("file", "CAs that servers may use, in addition to the system's (PEM)."))
    var upstreamCa: [String] = []

    @Option(
        help: .value(
            "host",
            "Accept a bad certificate of this one server: anybody on the way can read the traffic. May be repeated."
        ),
        transform: HostTrustOptions.host
    )
    var dangerAccept: [HostPattern] = []

    @Option(
        help: .value(
            "host=file",
            "Present the certificate in FILE (PEM with its key, or PKCS#12) to this server. May be repeated."
        ),
        transform: HostTrustOptions.certificate
    )
    var clientCertificate: [Configuration.ClientCertificate] = []

    @Option(help: .value("file", "The passphrase of these PKCS#12 files, in the first line of a file."))
    var clientCertificatePasswordFile: String?

    /// The flags that were given, which only a proxy of the command's own can follow.
    var flags: [String] {
        [
            upstreamCa.isEmpty ? nil : "--upstream-ca", dangerAccept.isEmpty ? nil : "--danger-accept",
            clientCertificate.isEmpty ? nil : "--client-certificate",
        ].compactMap(\.self)
    }

    func validate() throws {
        guard clientCertificatePasswordFile == nil || !clientCertificate.isEmpty else {
            throw ValidationError(
                "--client-certificate-password-file: expected --client-certificate beside it"
            )
        }
    }

    /// Adds the settings of the flags, which win over those of the file.
    func apply(to configuration: inout Configuration) {
        configuration.tls.upstreamCAs += upstreamCa
        configuration.tls.exemptions += dangerAccept.map {
            ServerPolicy.Exemption(pattern: $0, reason: "--danger-accept on the command line")
        }
        for var certificate in clientCertificate {
            certificate.passphraseFile = clientCertificatePasswordFile
            configuration.tls.clientCertificates.append(certificate)
        }
    }

    /// Parses one host without `*`; exemptions for many hosts need a reason, as the configuration gives it.
    static func host(_ text: String) throws -> HostPattern {
        let host = try FlagValue.parse(InternationalName.ascii(text), HostPattern.init)
        guard host.isOneHost else {
            throw ValidationError(
                "expected one host without *, found “\(text)”; tls.exemptions takes patterns"
            )
        }
        return host
    }

    private static func certificate(_ text: String) throws -> Configuration.ClientCertificate {
        guard let equals = text.firstIndex(of: "="), text[text.index(after: equals)...].isEmpty == false
        else {
            throw ValidationError("expected HOST=FILE, found “\(text)”")
        }
        let file = String(text[text.index(after: equals)...])
        return Configuration.ClientCertificate(hosts: [try host(String(text[..<equals]))], file: file)
    }
}
