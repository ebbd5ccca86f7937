import PinholeSource

extension SettingsReader {
    /// Settings of Terraform's providers and resources that leave out the check of a server.
    static let terraform = SettingsReader(
        title: "Terraform settings",
        marks: TerraformReader.marks,
        commonMarks: Set(TerraformReader.marks),
        forms: [.objects]
    ) { reading in
        // A text within may be a file for another directory.
        !reading.isPart && TerraformReader.read(&reading)
    }
}

private enum TerraformReader {
    /// The words of which one stands in each of the settings.
    static let marks = ["insecure", "skip_verify", "ignore_cert", "unverified_ssl", "skip_cert", "skip_tls"]
    private static let blocks = ["provider", "data", "resource"]
    /// The settings, in their folded form, of providers and of the blocks within.
    private static let ofProviders: Set = [
        "insecure", "allowinsecure", "skipverify", "ignorecertificateerrors",
    ]
    /// The settings of any block.
    private static let settings: Set = [
        "tlsinsecure", "pmtlsinsecure", "allowunverifiedssl", "skipcertverify", "skipcertverification",
        "insecurerequests", "sslinsecure", "tlsskipverify", "insecureskipverify", "insecureskiptlsverify",
    ]

    static func read(_ reading: inout SettingsReading) -> Bool {
        var isOfKind = false
        for block in reading.root.members where blocks.contains(block.name) && !block.values.isEmpty {
            let kind = block.values[0].whole ?? ""
            judge(block, block.name == "provider" || kind == "http", &isOfKind, &reading)
        }
        return isOfKind
    }

    private static func judge(
        _ block: Setting,
        _ isProvider: Bool,
        _ isOfKind: inout Bool,
        _ reading: inout SettingsReading
    ) {
        for setting in block.members {
            judge(setting, isProvider, &isOfKind, &reading)
            guard settings.contains(setting.key) || isProvider && ofProviders.contains(setting.key),
                let value = setting.values.first
            else { continue }
            isOfKind = true
            switch setting.truth {
            case true?: reading.acceptsEverything(at: setting.line, by: "\(setting.name) = true")
            case false?: break
            case nil: reading.unknown(setting.name, value.code, at: setting.line)
            }
        }
    }
}
