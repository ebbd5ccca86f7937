import PinholeModel
import PinholeSource
import PinholeTrust

/// Commands that accept every server, in files that pin nothing.
extension CurlCommands {
    /// Whether a command accepts every server.
    var isInsecure: Bool { transfers.contains { isInsecure($0) || mayBeInsecure($0) } }

    /// Whether an expression chooses the option: `strict ? "-s" : "-k"`.
    private func mayBeInsecure(_ transfer: Transfer) -> Bool {
        guard transfer.pin == nil, !transfer.insecure else { return false }
        return transfer.urls.contains { word in
            word.whole == nil
                && word.pieces.contains { piece in
                    if case .text(let text) = piece {
                        SourceCommand.insecureOptions.contains(text)
                    } else {
                        false
                    }
                }
        }
    }

    /// Notes of the last transfers that they may be run; a pin in a text that may be printed pins nothing.
    mutating func doubt(from first: Int) {
        transfers[first...].removeAll { $0.pin != nil }
        for index in first..<transfers.count { transfers[index].isRun = false }
    }

    func isInsecure(_ transfer: Transfer) -> Bool {
        guard transfer.pin == nil, transfer.insecure,
            !transfer.urls.isEmpty || transfer.isConfiguration || isConfiguration
        else {
            return false
        }
        return transfer.urls.isEmpty || !transfer.urls.allSatisfy { cleartext(of: $0, transfer) != nil }
    }

    /// Whether the text is the configuration of curl itself.
    var isConfiguration: Bool { name?.hasSuffix("curlrc") == true }

    /// Returns the clients of the commands that accept every server, in a file without pins; `nil` if there are none.
    ///
    /// - Parameter notes: Gets the findings about commands that may not be run, or ask the own machine.
    /// - Returns: The clients.
    func insecureFile(_ notes: inout DocumentNotes) -> PolicyFile? {
        guard name.map(SourceLanguage.isQuoting) != true else { return nil }
        var policies: [any TrustPolicy] = []
        for transfer in transfers where mayBeInsecure(transfer) {
            notes.unproven(
                .root("line \(transfer.line)"),
                "The code chooses a word of this command, which may be --insecure.",
                "Leave --insecure out, or prove it: pinhole audit -- COMMAND."
            )
        }
        for transfer in transfers where isInsecure(transfer) {
            let path = DocumentPath.root("line \(transfer.line)")
            let hosts = hosts(of: transfer)
            if !hosts.isEmpty, hosts.allSatisfy(Self.isOwnMachine) {
                notes.remark(
                    .acceptsEverything,
                    path,
                    "This command accepts every server (--insecure) on its own machine.",
                    "Name the CA with --cacert."
                )
            } else if transfer.isRun {
                let name =
                    isConfiguration || transfer.isConfiguration ? "insecure" : "The command (--insecure)"
                let policy = BrokenPolicy(acceptingAllAt: path.description, by: name)
                policies.append(hosts.isEmpty ? policy : Self.client(policy, hosts))
            } else {
                notes.unproven(
                    path,
                    "The text is a command that accepts every server (--insecure), and may be run.",
                    "Leave --insecure out, or prove it: pinhole audit -- COMMAND."
                )
            }
        }
        guard !policies.isEmpty else { return nil }
        var file = PolicyFile(kinds: policies.map { _ in .curl }, policies: policies)
        file.isOfSeveralClients = policies.count > 1
        return file
    }

    static func isOwnMachine(_ host: Host) -> Bool {
        switch host {
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        case .address(let address): address.isLoopback
        }
    }

    /// The commands without a pin for hosts that others pin: a client for each.
    func openClients(
        _ isPinned: (Host) -> Bool,
        _ notes: inout DocumentNotes
    ) -> [HostPolicies] {
        var clients: [HostPolicies] = []
        for transfer in transfers where transfer.pin == nil && transfer.isRun {
            let path = DocumentPath.root("line \(transfer.line)")
            let asked = hosts(of: transfer)
            let hosts = asked.filter(isPinned)
            noteConfiguration(of: transfer, &notes)
            guard let host = hosts.first else {
                guard transfer.insecure else { continue }
                if pins, isInsecure(transfer), !asked.allSatisfy(Self.isOwnMachine) {
                    clients.append(openClient(transfer, asked))
                    continue
                }
                notes.remark(
                    .acceptsEverything,
                    path,
                    "This command accepts every server (--insecure).",
                    "Leave --insecure out, and name the CA with --cacert."
                )
                continue
            }
            // The file may have the pin.
            if !transfer.insecure, transfer.configuration != nil { continue }
            if transfer.insecure {
                clients.append(openClient(transfer, hosts))
            } else {
                notes.remark(
                    .notEnforced,
                    path,
                    "This command asks \(host) without the pin that stands elsewhere in the file for it.",
                    "Give it the same --pinnedpubkey.",
                    severity: .warning
                )
                clients.append(Self.client(SystemPolicy(by: .openssl), hosts))
            }
        }
        return clients
    }

    /// The client of a command that accepts every server, for some hosts.
    private func openClient(_ transfer: Transfer, _ hosts: [Host]) -> HostPolicies {
        let name = "The command of line \(transfer.line) (--insecure)"
        return Self.client(BrokenPolicy(acceptingAllAt: "line \(transfer.line)", by: name), hosts)
    }

    /// `curl() { command curl -k "$@"; }`, `function curl {`.
    static func functions(in text: String) -> [Int] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .filter { _, line in
                var words = line.drop(while: \.isWhitespace)
                let isNamed = words.hasPrefix("function ")
                if isNamed { words = words.dropFirst("function ".count).drop(while: \.isWhitespace) }
                guard let name = ["curl", "wget"].first(where: words.hasPrefix) else { return false }
                let rest = words.dropFirst(name.count).drop(while: \.isWhitespace)
                return rest.hasPrefix("()") || isNamed && rest.hasPrefix("{")
            }
            .map { $0.offset + 1 }
    }

    /// Notes the files with further options of commands without a pin, beside settings that may pin for them.
    func noteConfigurations(_ notes: inout DocumentNotes) {
        for transfer in transfers where transfer.pin == nil && transfer.isRun {
            noteConfiguration(of: transfer, &notes)
        }
    }

    /// Notes a file with further options, `curl -K FILE https://example.com`.
    func noteConfiguration(of transfer: Transfer, _ notes: inout DocumentNotes) {
        guard let configuration = transfer.configuration else { return }
        notes.unproven(
            .root("line \(transfer.line)"),
            "The options in “\(DocumentPath.cut(configuration.code))” are not in this file, and may hold --insecure.",
            "Write the options themselves, and check that file, too."
        )
    }
}

/// The hosts of the URLs of a command.
extension CurlCommands {
    func hosts(of transfer: Transfer) -> [Host] {
        var hosts: [Host] = []
        for name in names(of: transfer) {
            guard let host = try? Host(name.prefix { $0 != ":" }), !hosts.contains(host) else { continue }
            hosts.append(host)
        }
        return hosts
    }

    /// The hosts of the URLs as they are written, each with the port behind it.
    private func names(of transfer: Transfer) -> [Substring] {
        transfer.urls.compactMap { url in
            let text = url.beginning
            let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
            let name = rest.prefix { !"/?#".contains($0) }
            // The host goes on in an expression.
            guard url.whole != nil || name.endIndex < rest.endIndex || name.contains(":") else { return nil }
            return name
        }
    }

    /// The hosts of the URLs, at the ports that differ from that of https.
    func places(of transfer: Transfer) -> [HostPattern] {
        names(of: transfer).compactMap { name in
            let place = try? HostPattern(name.hasSuffix(":443") ? name.dropLast(4) : name)
            // A variable may stand for the port.
            return place ?? (try? HostPattern(name.prefix { $0 != ":" }))
        }
    }
}
