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
        // Such a file may hold any setting, and locations of its own.
        for include in root.all("include") {
            reading.unknown("include", include.values.first?.code ?? "", at: include.line)
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

    /// Returns a block with the settings of the files that it includes in their places; others stay `include`.
    func including(_ block: Setting, _ files: NamedFiles) -> Setting {
        var block = block
        block.members = block.members.flatMap { member -> [Setting] in
            guard member.name == "include", let name = member.text else { return [including(member, files)] }
            let inclusion = files.including(name, as: "a configuration of nginx") { content in
                try SettingsForm.directives.read(String(decoding: content, as: UTF8.self), from: 1).root
            } use: { root in
                including(root.moved(to: member.line), files).members
            }
            switch inclusion {
            case .read(let members): return members
            case .absent where Self.harmless.contains(name): return []
            case .absent, .leftOut: return [member]
            }
        }
        return block
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
