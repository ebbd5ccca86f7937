import PinholeSource
import PinholeTrust

extension SourceReader {
    /// AFNetworking's `AFSecurityPolicy` in Objective-C and Swift.
    static let afNetworking = SourceReader(
        title: "AFNetworking security policy",
        marks: [
            "AFSecurityPolicy", "allowInvalidCertificates", "validatesDomainName",
            "setAllowInvalidCertificates",
        ],
        signs: ["securityPolicy"],
        languages: [.objectiveC, .swift]
    ) { reading in
        var reader = AFNetworkingReader()
        reader.read(&reading)
    }
}

/// Collects the settings of each `AFSecurityPolicy`.
private struct AFNetworkingReader {
    /// The settings of one policy.
    private struct Settings {
        var place: Int
        /// The variable that holds the policy; `nil` if the file does not name it.
        var name: String?
        var mode: AFSecurityPolicy.PinningMode? = .some(.none)
        var allowsInvalid = false
        var validatesName = true
        /// The value that was given for the certificates; `nil` stands for all of the bundle.
        var certificates: SourceValue?
        var isMade = false
    }

    private static let modes: [String: AFSecurityPolicy.PinningMode] = [
        "AFSSLPinningModeNone": .none, "AFSSLPinningModePublicKey": .publicKey,
        "AFSSLPinningModeCertificate": .certificate, "none": .none, "publicKey": .publicKey,
        "certificate": .certificate,
    ]

    private var all: [Settings] = []

    mutating func read(_ reading: inout SourceReading) {
        let code = reading.code
        for index in code.tokens.indices {
            readKey(at: index, &reading)
            guard let name = code.tokens[index].lastName else { continue }
            switch name {
            case "AFSecurityPolicy": readMaker(at: index, reading)
            case "allowInvalidCertificates", "validatesDomainName", "pinnedCertificates", "SSLPinningMode":
                if let value = reading.assigned(at: index), !code.isMark(":", at: index + 1) {
                    set(name, of: receiver(of: index, code), at: index, value, &reading)
                }
            case "setAllowInvalidCertificates", "setValidatesDomainName", "setPinnedCertificates":
                // `[policy setAllowInvalidCertificates:YES]`
                guard code.isMark(":", at: index + 1) else { continue }
                let short = name.dropFirst(3)
                let setting = short.prefix(1).lowercased() + short.dropFirst()
                set(setting, of: code[index - 1]?.lastName, at: index, index + 2, &reading)
            default: break
            }
        }
        for settings in all { add(settings, &reading) }
    }

    /// Reads a setting by its key: `[policy setValue:@YES forKey:@"allowInvalidCertificates"]`, and the same in Swift.
    private mutating func readKey(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        guard let key = code.tokens[index].text,
            ["allowInvalidCertificates", "validatesDomainName", "pinnedCertificates"].contains(key),
            case let colon = code.isMark("@", at: index - 1) ? index - 2 : index - 1,
            code.isMark(":", at: colon), code[colon - 1]?.name == "forKey",
            let open = code.parent(of: index)
        else { return }
        if code.isMark("(", at: open), code[open - 1]?.lastName == "setValue" {
            set(key, of: receiver(of: open - 1, code), at: index, open + 1, &reading)
        } else if let setter = (open..<index).last(where: { code.tokens[$0].name == "setValue" }) {
            // `@YES`, `@(NO)`
            let value = code.isMark("@", at: setter + 2) ? setter + 3 : setter + 2
            let end = code.isMark("(", at: value) ? code.end(of: value) + 1 : value + 1
            set(key, of: code[setter - 1]?.lastName, at: index, value, before: end, &reading)
        }
    }

    /// Reads an expression that makes a policy.
    private mutating func readMaker(at index: Int, _ reading: SourceReading) {
        let code = reading.code
        let value: SourceValue
        if code.isMark("[", at: index - 1) {
            value = reading.evaluator.value(at: index - 1, before: code.end(of: index - 1) + 1)
        } else if code.isMark("(", at: index + 1) {
            value = reading.evaluator.value(at: index, before: code.end(of: index + 1) + 1)
        } else if code.tokens[index].name != "AFSecurityPolicy" {
            return
        } else if let end = memberEnd(from: index, code) {
            value = reading.evaluator.value(at: index, before: end)
        } else {
            return
        }
        guard case .call(let call) = value, isMaker(call) else { return }
        var settings = Settings(place: index, isMade: true)
        settings.name = variable(before: index, code)
        if call.name == "policyWithPinningMode" || call.name == "AFSecurityPolicy"
            || call.path.hasSuffix("policy")
        {
            settings.mode = mode(
                of: call.argument("policyWithPinningMode") ?? call.argument("pinningMode")
                    ?? call.arguments.first?.value
            )
        }
        settings.certificates = call.argument("withPinnedCertificates") ?? call.argument("pinnedCertificates")
        all.append(settings)
    }

    private func isMaker(_ call: SourceCall) -> Bool {
        ["policyWithPinningMode", "defaultPolicy", "AFSecurityPolicy", "policy", "default", "init"].contains(
            call.name
        )
            && (call.path.contains("AFSecurityPolicy"))
    }

    /// The end of `AFSecurityPolicy.default()`, whose dots are parts of the name.
    private func memberEnd(from index: Int, _ code: SourceCode) -> Int? {
        code.isMark("(", at: index + 1) ? code.end(of: index + 1) + 1 : nil
    }

    private func mode(of value: SourceValue?) -> AFSecurityPolicy.PinningMode? {
        guard let value else { return .some(.none) }
        if case .integer(let number) = value {
            return [.none, .publicKey, .certificate][safe: Int(clamping: number)]
        }
        return value.lastName.flatMap { Self.modes[$0] }
    }

    /// The variable that an expression is assigned to: `policy` in `AFSecurityPolicy *policy = [AFSecurityPolicy …`.
    private func variable(before index: Int, _ code: SourceCode) -> String? {
        var place = index - 1
        while place > 0, code.tokens[place].isMark(of: "[(") { place -= 1 }
        // `[manager setSecurityPolicy:[AFSecurityPolicy …]]`
        if code.isMark(":", at: place) { return "securityPolicy" }
        guard code.isMark("=", at: place) else { return nil }
        var name = place - 1
        if let type = code[name]?.name, type == "AFSecurityPolicy", code.isMark(":", at: name - 1) {
            name -= 2
        }
        return code[name]?.lastName
    }

    /// The variable in front of a member: `policy` of `policy.allowInvalidCertificates`.
    private func receiver(of index: Int, _ code: SourceCode) -> String? {
        if let qualifier = code.tokens[index].qualifier {
            return qualifier.split(separator: ".").last.map(String.init)
        }
        var place = index - 1
        while place > 0, code.tokens[place].isMark(of: ".?!") { place -= 1 }
        return code[place]?.lastName
    }

    private mutating func set(
        _ setting: String,
        of name: String?,
        at index: Int,
        _ value: Int,
        before end: Int? = nil,
        _ reading: inout SourceReading
    ) {
        if !reading.debug, reading.code.isDebugOnly(index) {
            reading.notes.remark(
                .ignored,
                reading.path(index),
                "Only debug builds set \(setting).",
                "Check them with --debug."
            )
            return
        }
        let place =
            all.lastIndex { $0.name == name } ?? all.lastIndex { $0.name == nil && $0.isMade }
            ?? {
                all.append(Settings(place: index, name: name))
                return all.count - 1
            }()
        let read = reading.evaluator.value(at: value, before: end ?? reading.valueEnd(from: value))
        switch setting {
        case "pinnedCertificates": all[place].certificates = read
        case "SSLPinningMode": all[place].mode = mode(of: read)
        default:
            guard let truth = read.truth else {
                reading.notes.unproven(
                    reading.path(index),
                    "\(setting) (\(DocumentPath.cut(read.code))) is not a literal in this file.",
                    "Write YES or NO."
                )
                return
            }
            if setting == "allowInvalidCertificates" {
                all[place].allowsInvalid = truth
            } else {
                all[place].validatesName = truth
            }
        }
    }

    /// Adds the policy of some settings, as far as the code shows its certificates.
    private func add(_ settings: Settings, _ reading: inout SourceReading) {
        let path = reading.path(settings.place)
        guard let mode = settings.mode else {
            reading.notes.unproven(
                path,
                "The pinning mode is not a literal in this file.",
                "Write AFSSLPinningModePublicKey or another mode."
            )
            return
        }
        var policy = AFSecurityPolicy(
            pinningMode: mode,
            allowInvalidCertificates: settings.allowsInvalid,
            validatesDomainName: settings.validatesName
        )
        guard mode != .none else {
            // A setting without the policy that it belongs to says too little about the mode.
            if settings.isMade || settings.allowsInvalid || !settings.validatesName { reading.add(policy) }
            return
        }
        do throws(PolicyFailure) {
            policy.pinnedCertificates = try reading.certificates(named: settings.certificates)
        } catch {
            noteSwitches(settings, mode, path, &reading)
            reading.notes.missing(path, "\(error)")
            return
        }
        guard policy.pinnedCertificates.isEmpty else { return reading.add(policy) }
        noteSwitches(settings, mode, path, &reading)
        reading.notes.unproven(
            path,
            settings.certificates == nil
                ? "The pins are all certificates of the app's bundle, which this file does not show."
                : "The pinned certificates are not in this file.",
            "Check them where they are: pinhole pins FILE shows the pins of a certificate."
        )
    }

    /// Notes the switches that undo the pins, whatever the pins are.
    private func noteSwitches(
        _ settings: Settings,
        _ mode: AFSecurityPolicy.PinningMode,
        _ path: DocumentPath,
        _ reading: inout SourceReading
    ) {
        if mode == .publicKey, settings.allowsInvalid {
            reading.notes.fail(
                .invalidAllowed,
                path,
                "Chain, dates and host are not looked at: whoever sends a certificate with a pinned key is let in.",
                "Set allowInvalidCertificates to NO, or pin with AFSSLPinningModeCertificate."
            )
        } else if !settings.validatesName {
            reading.notes.fail(
                .authorityWithoutHost,
                path,
                "The host is not checked: if a pinned certificate is a CA's, its certificates for other hosts pass.",
                "Set validatesDomainName to YES.",
                severity: .warning
            )
        }
    }
}

extension Array {
    /// The element at an index; `nil` outside of the array.
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
