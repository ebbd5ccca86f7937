import PinholeFiles
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The verification of servers behind nginx.
    static let nginx = SettingsReader(
        title: "nginx proxy",
        marks: [
            "proxy_ssl_verify", "grpc_ssl_verify", "uwsgi_ssl_verify", "proxy_ssl_trusted_certificate",
            "proxy_pass", "grpc_pass", "uwsgi_pass",
        ],
        commonMarks: ["proxy_pass", "grpc_pass", "uwsgi_pass"],
        forms: [.directives]
    ) { reading in
        var reader = NginxReader()
        let root = reader.including(reading.root, reading.files)
        reader.walk(root, [:], &reading)
        guard reader.isOfKind else { return false }
        for gap in reader.gaps where !reading.isProse && reading.isFirst("include \(gap.line) \(gap.name)") {
            let reason =
                gap.refusal.map { "\($0)" } ?? "“\(gap.name)” is of another kind, or beyond the limits"
            reading.notes.unproven(
                reading.path(gap.line),
                "The settings of an include are not read: \(reason).",
                "Such a file may hold any setting, and locations of its own."
            )
        }
        return true
    }
}

private struct NginxReader {
    /// The modules that pass requests on over TLS, each with the scheme that says so.
    private static let modules = [("proxy", "https://"), ("grpc", "grpcs://"), ("uwsgi", "suwsgi://")]

    /// Files of nginx's packages, which set nothing about TLS unless somebody changed them.
    private static let harmless: Set = [
        "mime.types", "/etc/nginx/mime.types", "proxy_params", "/etc/nginx/proxy_params", "fastcgi_params",
        "uwsgi_params", "scgi_params",
    ]

    private(set) var isOfKind = false

    /// The files that are included and were not read, each with the reason if another one could be granted.
    private(set) var gaps: [(name: String, line: Int, refusal: FileRefusal?)] = []

    /// Returns a block with the settings of the files that it includes in their places.
    mutating func including(_ block: Setting, _ files: NamedFiles) -> Setting {
        var block = block
        var members: [Setting] = []
        for member in block.members {
            guard member.name == "include", let name = member.values.first?.code else {
                members.append(including(member, files))
                continue
            }
            let isPattern = name.contains { "*?[".contains($0) }
            let names = isPattern ? files.names(matching: name) : nil
            for name in names ?? [name] { members += settings(of: name, at: member.line, files) }
        }
        block.members = members
        return block
    }

    /// The settings of a file that is included.
    private mutating func settings(of name: String, at line: Int, _ files: NamedFiles) -> [Setting] {
        let inclusion = files.including(name, as: "a configuration of nginx") { content in
            try SettingsForm.directives.read(String(decoding: content, as: UTF8.self), from: 1).root
        } use: { root in
            including(root.moved(to: line), files).members
        }
        switch inclusion {
        case .read(let members): return members
        case .absent where Self.harmless.contains(name): break
        case .absent(let refusal): gaps.append((name, line, refusal))
        case .leftOut: gaps.append((name, line, nil))
        }
        return []
    }

    mutating func walk(
        _ block: Setting,
        _ outer: [String: Setting],
        _ reading: inout SettingsReading
    ) {
        // A block has the settings of the blocks around it that it does not set itself.
        var settings = outer
        for member in block.members where member.name.contains("_ssl") { settings[member.name] = member }
        for member in block.members {
            for (module, scheme) in Self.modules where member.name == "\(module)_pass" {
                let target = member.values.first?.code ?? ""
                // The stream module says it by a directive.
                let isTLS =
                    target.lowercased().hasPrefix(scheme) || settings["\(module)_ssl"]?.truth == true
                // The scheme may be part of a variable.
                guard isTLS || target.hasPrefix("$") else { continue }
                if !isTLS, settings["\(module)_ssl_verify"]?.truth != true {
                    isOfKind = true
                    reading.unknown(member.name, target, at: member.line)
                    continue
                }
                isOfKind = true
                judge(module, target, at: member.line, settings, &reading)
            }
        }
        for member in block.members where !member.members.isEmpty { walk(member, settings, &reading) }
    }

    private func judge(
        _ module: String,
        _ target: String,
        at line: Int,
        _ settings: [String: Setting],
        _ reading: inout SettingsReading
    ) {
        let name = settings["\(module)_ssl_name"]?.text
        let passed = SettingsReading.host(of: target)
        let named = SettingsReading.host(of: name)
        let host = named ?? passed
        let verify = settings["\(module)_ssl_verify"]
        if let verify, verify.truth == nil {
            reading.unknown(verify.name, verify.values.first?.code ?? "", at: verify.line)
            return
        }
        guard let verify, verify.truth == true else {
            reading.acceptsEverything(
                at: verify?.line ?? line,
                by: verify == nil
                    ? "\(module)_ssl_verify, which is off by default," : "\(module)_ssl_verify off",
                for: host.map { [$0] } ?? []
            )
            return
        }
        guard let file = settings["\(module)_ssl_trusted_certificate"] else {
            reading.notes.fail(
                .unreadable,
                reading.path(verify.line),
                "nginx does not start: \(module)_ssl_verify needs \(module)_ssl_trusted_certificate.",
                "Name the authorities of the server."
            )
            return
        }
        let authorities = reading.authorities(file, isPinned: false) ?? .device
        let policy = ServerVerification("nginx", authorities, at: reading.path(verify.line).description)
        reading.add(policy, for: host.map { [$0] } ?? [])
        if host == nil, let setting = settings["\(module)_ssl_name"] ?? settings["\(module)_ssl_server_name"]
        {
            reading.unknown(setting.name, setting.values.first?.code ?? "", at: setting.line)
        }
    }
}
