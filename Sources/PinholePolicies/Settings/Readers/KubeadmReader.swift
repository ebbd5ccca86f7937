import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The authority of a cluster that kubeadm pins while a node joins.
    static let kubeadm = SettingsReader(
        title: "kubeadm discovery",
        marks: [
            "--discovery-token-ca-cert-hash", "caCertHashes", "unsafeSkipCAVerification",
            "discoveryTokenUnsafeSkipCAVerification", "discoveryTokenCACertHashes",
            "--discovery-token-unsafe-skip-ca-verification",
        ],
        forms: [.commands, .yaml],
        readsEveryForm: true
    ) { reading in
        KubeadmReader.read(&reading)
    }
}

private enum KubeadmReader {
    static func read(_ reading: inout SettingsReading) -> Bool {
        var isOfKind = false
        for command in reading.root.members where command.name.isEmpty {
            if readCommand(command, &reading) { isOfKind = true }
        }
        for node in objects(in: reading.root) {
            isOfKind = true
            // The second names are those of the versions before v1beta1.
            let endpoint = node.member("apiServerEndpoint", "discoveryTokenAPIServers")
            let hosts = endpoint?.elements.compactMap { SettingsReading.host(of: $0.text.whole) } ?? []
            let skips = node.member("unsafeSkipCAVerification", "discoveryTokenUnsafeSkipCAVerification")
            add(
                node.member("caCertHashes", "discoveryTokenCACertHashes"),
                skips: skips.flatMap { $0.truth == false ? nil : $0 },
                hosts,
                &reading
            )
        }
        return isOfKind
    }

    /// The objects with the settings of a discovery by token.
    private static func objects(in setting: Setting) -> [Setting] {
        let names = [
            "caCertHashes", "unsafeSkipCAVerification", "discoveryTokenUnsafeSkipCAVerification",
            "discoveryTokenCACertHashes",
        ]
        if names.contains(where: { setting.member($0) != nil }) { return [setting] }
        return setting.members.flatMap { objects(in: $0) }
    }

    private static func readCommand(_ command: Setting, _ reading: inout SettingsReading) -> Bool {
        let words = command.values
        guard let join = words.firstIndex(where: { $0.whole == "join" }), join > 0,
            words[..<join].contains(where: { $0.code.hasSuffix("kubeadm") })
        else { return false }
        var hashes = Setting(name: "--discovery-token-ca-cert-hash", line: command.line)
        var skips: Setting?
        var index = join + 1
        var host: Host?
        while index < words.count {
            let word = words[index]
            let option = String(word.beginning.prefix { $0 != "=" })
            var value: SourceText? = word.beginning.contains("=") ? behindSign(word) : nil
            if option == hashes.name {
                if value == nil, index + 1 < words.count {
                    index += 1
                    value = words[index]
                }
                if let value {
                    // Several hashes may stand in one list.
                    hashes.values +=
                        value.whole.map { $0.split(separator: ",").map { SourceText(String($0)) } } ?? [value]
                }
            } else if option == "--discovery-token-unsafe-skip-ca-verification" {
                skips = Setting(name: option, values: [value ?? SourceText("true")], line: command.line)
                if skips?.truth == false { skips = nil }
            } else if !word.beginning.hasPrefix("-"), host == nil {
                host = SettingsReading.host(of: word.whole)
            }
            index += 1
        }
        add(hashes.values.isEmpty ? nil : hashes, skips: skips, host.map { [$0] } ?? [], &reading)
        return true
    }

    private static func behindSign(_ word: SourceText) -> SourceText? {
        guard let sign = word.beginning.firstIndex(of: "=") else { return nil }
        let rest = String(word.beginning[word.beginning.index(after: sign)...])
        return SourceText((rest.isEmpty ? [] : [.text(rest)]) + word.pieces.dropFirst())
    }

    private static func add(
        _ hashes: Setting?,
        skips: Setting?,
        _ hosts: [Host],
        _ reading: inout SettingsReading
    ) {
        if let skips, skips.truth == nil {
            reading.unknown(skips.name, skips.values.first?.code ?? "", at: skips.line)
        } else if let skips {
            reading.acceptsEverything(at: skips.line, by: skips.name, for: hosts)
            return
        }
        guard let hashes, let pins = reading.digests(hashes, .keySHA256, after: "sha256:") else { return }
        // The authority that has the pinned key becomes the only anchor, and the name is checked.
        reading.add(
            ServerVerification(
                "kubeadm",
                .device,
                pins: pins,
                scope: .validated,
                at: reading.path(hashes.line).description
            ),
            for: hosts
        )
    }
}
