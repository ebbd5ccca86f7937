import PinholeCrypto
import PinholeFiles
import PinholeSession

/// Searches the trust stores of this machine for a certificate.
struct TrustStoreSurvey {
    /// Whether a store knows the certificate.
    enum Knowledge: Equatable, Sendable {
        case known
        case notKnown
        /// The store could not be read, for the reason in the text.
        case unknown(String)
    }

    /// The result of the search in one store.
    struct Finding: Sendable {
        /// The name of the store, for users.
        let store: String
        let knowledge: Knowledge
        /// The command that adds the certificate to the store.
        let addition: String
        /// The command that removes the certificate from the store.
        let removal: String
    }

    let root: Certificate
    /// The environment, with the variables that name bundles and the home directory.
    var environment = ProcessEnvironment.variables

    /// The environment variables that name a certificate bundle for a program.
    static let variables = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO",
        "AWS_CA_BUNDLE", "PIP_CERT", "DENO_CERT", "CARGO_HTTP_CAINFO",
    ]

    /// Returns the results of all trust stores that were found on this machine.
    func findings() async -> [Finding] {
        let progress = ProgressLine.waiting("looking into the trust stores")
        defer { progress.end() }
        var findings = [system()]
        for directory in nssDirectories() { findings.append(await nss(directory)) }
        if let java = await java() { findings.append(java) }
        return findings + bundles()
    }

    private func system() -> Finding {
        let path = TrustBundle.systemPath
        let isDebian = File.exists(at: "/usr/local/share/ca-certificates")
        return Finding(
            store: "the system's bundle" + (path.map { " (\($0))" } ?? ""),
            knowledge: path.map(knowledge) ?? .unknown("no bundle was found in the usual places"),
            addition: isDebian
                ? "sudo install -m 644 \"$(pinhole ca path)\" /usr/local/share/ca-certificates/pinhole-ca.crt"
                    + " && sudo update-ca-certificates"
                : "sudo trust anchor \"$(pinhole ca path)\"",
            removal: isDebian
                ? "sudo rm /usr/local/share/ca-certificates/pinhole-ca.crt && sudo update-ca-certificates --fresh"
                : "sudo trust anchor --remove \"$(pinhole ca path)\""
        )
    }

    private func nssDirectories() -> [String] {
        guard let home = environment["HOME"] else { return [] }
        return ["\(home)/.pki/nssdb", "\(home)/.local/share/pki/nssdb"].filter {
            File.exists(at: "\($0)/cert9.db")
        }
    }

    private func nss(_ directory: String) async -> Finding {
        Finding(
            store: "Chromium's database (\(directory))",
            knowledge: await nssKnowledge(directory),
            addition: "certutil -d sql:\(directory) -A -t C,, -n Pinhole -i \"$(pinhole ca path)\"",
            removal: "certutil -d sql:\(directory) -D -n Pinhole"
        )
    }

    private func nssKnowledge(_ directory: String) async -> Knowledge {
        guard let listing = await ChildProcess.text(of: "certutil", ["-L", "-d", "sql:\(directory)"]) else {
            return .unknown("certutil is missing or failed (apt install libnss3-tools)")
        }
        // After two title lines, certutil prints “nickname   C,,” for each certificate.
        for line in listing.split(separator: "\n") {
            guard let end = line.firstMatch(of: /\s+[a-zA-Z]*,[a-zA-Z]*,[a-zA-Z]*\s*$/) else { continue }
            let nickname = String(line[..<end.range.lowerBound])
            let arguments = ["-L", "-d", "sql:\(directory)", "-n", nickname, "-a"]
            guard let pem = await ChildProcess.text(of: "certutil", arguments) else { continue }
            if TrustBundle(pem: Array(pem.utf8)).certificates.contains(root) { return .known }
        }
        return .notKnown
    }

    private func java() async -> Finding? {
        let arguments = ["-list", "-rfc", "-cacerts", "-storepass", TrustStore.customaryPassphrase]
        guard let pem = await ChildProcess.text(of: "keytool", arguments) else { return nil }
        return Finding(
            store: "Java's cacerts",
            knowledge: TrustBundle(pem: Array(pem.utf8)).certificates.contains(root) ? .known : .notKnown,
            addition: "sudo keytool -importcert -noprompt -cacerts -storepass changeit -alias pinhole"
                + " -file \"$(pinhole ca path)\"",
            removal: "sudo keytool -delete -cacerts -storepass changeit -alias pinhole"
        )
    }

    /// Searches the files that variables name, each once, without the system's own, which was searched before.
    private func bundles() -> [Finding] {
        let named = Dictionary(grouping: Self.variables) { environment[$0] ?? "" }
        return named.keys.sorted().filter { !$0.isEmpty && $0 != TrustBundle.systemPath }.map { path in
            let names = (named[path] ?? []).joined(separator: ", ")
            return Finding(
                store: "\(names) (\(path))",
                knowledge: knowledge(path),
                addition: "cat \"$(pinhole ca path)\" >> \(path)",
                removal: "unset the variable, or take the certificate out of \(path)"
            )
        }
    }

    private func knowledge(_ path: String) -> Knowledge {
        do throws(CryptoFailure) {
            return try TrustBundle(path: path).certificates.contains(root) ? .known : .notKnown
        } catch {
            return .unknown(error.description)
        }
    }
}
