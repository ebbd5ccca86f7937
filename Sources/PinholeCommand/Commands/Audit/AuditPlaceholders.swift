import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeTrust

/// A release of an app whose day is played.
struct SimulatedRelease: Sendable {
    /// Its policy file, with the keys of the lab.
    let file: [UInt8]
    /// Its pins as curl takes them.
    let pins: String
}

/// The placeholders in the words of an audited command, with their values for one scenario.
struct AuditPlaceholders {
    /// The placeholders with their explanations, for the help.
    static let help: [(name: String, text: String)] = [
        ("url", "the URL to fetch, https://HOST:PORT/PATH"),
        ("host", "the host of the URL"),
        ("port", "the port of the URL"),
        ("proxy", "the proxy, http://127.0.0.1:PORT; not with --listen"),
        ("address", "IP:PORT of the proxy, or of --listen"),
        ("ip", "the IP address in {address}"),
        ("ca", "a file with the roots that the device trusts (PEM); each scenario has another one"),
        ("root", "a file with the honest server's own root (PEM)"),
        ("leaf", "a file with the honest server's certificate (PEM)"),
        ("fingerprint", "the SHA-256 of that certificate in hexadecimal"),
        ("pin", "the SHA-256 of the key of that certificate in Base64"),
        ("pin-backup", "the same of the backup key of the server"),
        ("ca-pin", "the same of the key of the issuing CA"),
        ("ca-pin-backup", "the same of the backup issuing CA"),
        ("policy", "with --plan: the policy file of the release, with the keys of the lab"),
        ("pins", "with --plan: its pins as curl takes them, sha256//…;sha256//…"),
    ]

    /// The placeholder that exists only with a proxy.
    static let proxyName = "proxy"

    /// The placeholders that tell a program the address of the lab; one of them is enough.
    private static let leading = ["url", "host", "port", proxyName, "address", "ip"]

    /// Whether a command and its arguments contain a placeholder for the address of the lab.
    static func leads(_ command: [String]) -> Bool {
        command.contains { word in leading.contains { word.contains("{\($0)}") } }
    }

    private let values: [String: String]

    /// Writes the files for one scenario and collects the values.
    ///
    /// - Parameters:
    ///   - stage: The scenario.
    ///   - bundle: The file with the roots.
    ///   - isDirect: Whether there is no proxy.
    ///   - release: The policy file and the pins of the release that is played; `nil` if none is.
    ///   - directory: The directory for the other files.
    /// - Throws: ``CommandFailure`` when a file cannot be written.
    init(
        _ stage: AuditStage,
        bundle: String,
        isDirect: Bool,
        release: SimulatedRelease? = nil,
        in directory: PrivateDirectory
    ) throws(CommandFailure) {
        var values = [
            "url": stage.url, "host": stage.host, "port": "\(stage.port)",
            "address": stage.address.description, "ip": "\(stage.address.address)",
            "ca": bundle,
            "root": try directory.write(Self.pem(stage.root), to: "root.pem"),
            "leaf": try directory.write(Self.pem(stage.leaf), to: "leaf.pem"),
            "fingerprint": Digest.text(stage.leaf.sha256).filter { $0 != ":" }.lowercased(),
        ]
        if !isDirect { values[Self.proxyName] = "http://\(stage.address)" }
        for (names, pins) in [
            (["pin", "pin-backup"], stage.leafPins), (["ca-pin", "ca-pin-backup"], stage.authorityPins),
        ] {
            for (name, pin) in zip(names, pins) { values[name] = Base64.encode(pin.digest) }
        }
        if let release {
            values["policy"] = try directory.write(release.file, to: "policy")
            values["pins"] = release.pins
        }
        self.values = values
    }

    /// Whether a command takes the pins of a release.
    static func takesRelease(_ command: [String]) -> Bool {
        command.contains { $0.contains("{policy}") || $0.contains("{pins}") }
    }

    private static func pem(_ certificate: CertificateFacts) -> [UInt8] {
        Array(PEM.encode(certificate.der, label: "CERTIFICATE").utf8)
    }

    /// Returns `word` with the known placeholders replaced; other braces stay.
    func fill(_ word: String) -> String {
        var result = ""
        var rest = word[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let inside = rest[rest.index(after: open)...]
            if let close = inside.firstIndex(of: "}"), let value = values[String(inside[..<close])] {
                result += value
                rest = inside[inside.index(after: close)...]
            } else {
                result += "{"
                rest = inside
            }
        }
        return result + rest
    }
}
