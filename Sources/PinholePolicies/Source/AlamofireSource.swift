import PinholeModel
import PinholeTrust

/// Alamofire's evaluators in Swift source code: the dictionary of `ServerTrustManager`, and the policies of Alamofire 4.
struct AlamofireSource {
    /// The classes of Alamofire 5, and the cases of `ServerTrustPolicy` in Alamofire 4.
    private static let evaluators: Set = [
        "DefaultTrustEvaluator", "RevocationTrustEvaluator", "PinnedCertificatesTrustEvaluator",
        "PublicKeysTrustEvaluator", "CompositeTrustEvaluator", "DisabledTrustEvaluator", "DisabledEvaluator",
        "performDefaultEvaluation", "pinCertificates", "pinPublicKeys", "disableEvaluation",
    ]
    /// The endings of the files in which apps ship certificates.
    private static let endings = [".cer", ".crt", ".der", ".pem"]

    private let reader: SourceValueReader
    private let files: NamedFiles
    /// The evaluators that are the values of constants.
    private var constants: [String: SourceValue] = [:]

    /// Whether a text makes evaluators.
    static func isIn(_ text: String) -> Bool {
        text.contains("TrustEvaluator(") || text.contains("ServerTrustPolicy")
    }

    /// Reads the evaluators of each host.
    ///
    /// - Parameters:
    ///   - tokens: The source code; names of constants are followed within it.
    ///   - files: The resources that lie beside the code.
    ///   - notes: Gets a finding for each host and certificate that the code does not show.
    /// - Returns: The evaluators; empty if none can be used.
    static func policies(
        in tokens: [SourceToken],
        _ files: NamedFiles,
        _ notes: inout DocumentNotes
    ) -> [HostPolicies.Entry] {
        AlamofireSource(SourceConstants.resolved(tokens), files).policies(&notes)
    }

    /// Whether a host without an evaluator is refused (`allHostsMustBeEvaluated`, by default in Alamofire 5).
    ///
    /// Alamofire 4 leaves such hosts to default handling.
    static func refusesOtherHosts(in tokens: [SourceToken], _ notes: inout DocumentNotes) -> Bool {
        let tokens = SourceConstants.resolved(tokens)
        let old: Set = ["ServerTrustPolicyManager", "ServerTrustPolicy"]
        if tokens.contains(where: { $0.lastName.map(old.contains) ?? false }) { return false }
        for index in tokens.indices where tokens[index].name == "allHostsMustBeEvaluated" {
            guard index + 2 < tokens.count, tokens[index + 1].isMark(":") else { continue }
            switch tokens[index + 2].name {
            case "true": return true
            case "false": return false
            default:
                notes.unproven(
                    .hostNotLiteral,
                    .root("line \(tokens[index].line)"),
                    "Whether hosts without an evaluator are refused is no literal (allHostsMustBeEvaluated).",
                    "Write true or false."
                )
                return false
            }
        }
        return true
    }

    private init(_ tokens: [SourceToken], _ files: NamedFiles) {
        reader = SourceValueReader(tokens)
        self.files = files
        for index in tokens.indices where tokens[index].isMark("=") && index > 0 {
            guard mayBeEvaluator(at: index + 1), let value = reader.value(at: index + 1), isEvaluator(value)
            else { continue }
            // A type may stand between: `let evaluator: ServerTrustEvaluating = …`.
            let subject = index >= 3 && tokens[index - 2].isMark(":") ? index - 3 : index - 1
            if let name = tokens[subject].lastName { constants[name] = value }
        }
    }

    /// Whether a value begins like an evaluator; other values are not read, since they may be large.
    private func mayBeEvaluator(at index: Int) -> Bool {
        let tokens = reader.tokens
        let name = index < tokens.count && tokens[index].isMark(".") ? index + 1 : index
        guard name < tokens.count, let word = tokens[name].lastName else { return false }
        return Self.evaluators.contains(word) || constants[word] != nil
    }

    private func isEvaluator(_ value: SourceValue) -> Bool {
        switch value {
        case .call(let name, _): Self.evaluators.contains(name)
        case .other(let token):
            token.lastName.map { Self.evaluators.contains($0) || constants[$0] != nil } ?? false
        default: false
        }
    }

    private func policies(_ notes: inout DocumentNotes) -> [HostPolicies.Entry] {
        var entries: [HostPolicies.Entry] = []
        let tokens = reader.tokens
        for index in tokens.indices where tokens[index].isMark("[") {
            let end = reader.end(of: index)
            // evaluators["example.com"] = DefaultTrustEvaluator()
            if end + 1 < tokens.count, tokens[end + 1].isMark("="), end == index + 2 {
                guard let value = reader.value(at: end + 2), isEvaluator(value) else { continue }
                let key = tokens[index + 1]
                append(value, for: key.literal == nil ? nil : key, at: key.line, to: &entries, &notes)
                continue
            }
            for place in reader.places(in: index) where place.isKeyed && mayBeEvaluator(at: place.value) {
                guard let value = reader.value(at: place.value, before: place.end), isEvaluator(value) else {
                    continue
                }
                append(value, for: place.key, at: tokens[place.start].line, to: &entries, &notes)
            }
        }
        return entries
    }

    private func append(
        _ value: SourceValue,
        for key: SourceToken?,
        at line: Int,
        to entries: inout [HostPolicies.Entry],
        _ notes: inout DocumentNotes
    ) {
        let path = DocumentPath.root("line \(line)")
        let evaluator = policy(value, path, &notes)
        guard let host = key?.literal else {
            notes.hostNotLiteral(key?.name, path, remedy: "Write it as [\"example.com\": …].")
            return
        }
        do throws(AddressFailure) {
            let exact = try Host(host)
            guard let evaluator else { return }
            entries.append(HostPolicies.Entry([try HostPattern(exact.uriText)], evaluator))
        } catch {
            notes.fail(
                .neverMatches,
                path,
                "Alamofire looks evaluators up by the host of the request: “\(DocumentPath.cut(host))” is none.",
                "Write the host as it stands in a URL, such as api.example.com."
            )
        }
    }

    /// The policy of an evaluator; `nil` if the code does not show what it compares.
    private func policy(
        _ value: SourceValue,
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) -> (any TrustPolicy)? {
        var name = ""
        var arguments: [SourceValue.Element] = []
        switch value {
        case .call(let call, let elements): (name, arguments) = (call, elements)
        case .other(let token):
            name = token.lastName ?? ""
            if let constant = constants[name] { return policy(constant, path, &notes) }
        default: return nil
        }
        // Alamofire 4 has one switch for chain and dates.
        let validates =
            flag("performDefaultValidation", arguments, path, &notes)
            && flag("validateCertificateChain", arguments, path, &notes)
        let validatesHost = flag("validateHost", arguments, path, &notes)
        switch name {
        case "DefaultTrustEvaluator", "performDefaultEvaluation":
            return AlamofireDefaultPolicy(validateHost: validatesHost)
        case "RevocationTrustEvaluator":
            return AlamofireRevocationPolicy(
                performDefaultValidation: validates,
                validateHost: validatesHost
            )
        case "PinnedCertificatesTrustEvaluator", "pinCertificates":
            return pins("certificates", arguments, validates, path, &notes).map {
                AlamofirePinnedCertificatesPolicy(
                    certificates: $0,
                    acceptSelfSignedCertificates: flag(
                        "acceptSelfSignedCertificates",
                        arguments,
                        path,
                        &notes,
                        false
                    ),
                    performDefaultValidation: validates,
                    validateHost: validatesHost
                )
            }
        case "PublicKeysTrustEvaluator", "pinPublicKeys":
            let label = name == "pinPublicKeys" ? "publicKeys" : "keys"
            return pins(label, arguments, validates, path, &notes).map {
                AlamofirePublicKeysPolicy(
                    certificates: $0,
                    performDefaultValidation: validates,
                    validateHost: validatesHost
                )
            }
        case "CompositeTrustEvaluator":
            guard case .collection(let parts)? = arguments.first?.value else { return nil }
            var policies: [any TrustPolicy] = []
            for part in parts {
                guard let policy = policy(part.value, path, &notes) else { return nil }
                policies.append(policy)
            }
            return try? AlamofireCompositePolicy(evaluators: policies)
        default: return AlamofireDisabledPolicy()
        }
    }

    private func flag(
        _ label: String,
        _ arguments: [SourceValue.Element],
        _ path: DocumentPath,
        _ notes: inout DocumentNotes,
        _ usual: Bool = true
    ) -> Bool {
        switch arguments.first(where: { $0.name == label })?.value {
        case nil: return usual
        case .boolean(let value): return value
        default:
            notes.unproven(
                .pinNotLiteral,
                path,
                "\(label) is not a literal in this file; it is read as \(usual), Alamofire's default.",
                "Write true or false."
            )
            return usual
        }
    }

    /// The certificates of the resources that an argument names; `nil` if the code does not show them.
    private func pins(
        _ label: String,
        _ arguments: [SourceValue.Element],
        _ validates: Bool,
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) -> [CertificateFacts]? {
        let argument = arguments.first { $0.name == label }?.value
        let names = argument.map { resources(in: $0, 0) } ?? []
        var found: [CertificateFacts] = []
        for name in names {
            do throws(PolicyFailure) {
                found += try files.certificates(name)
            } catch {
                notes.missing(path, "\(error)")
                return nil
            }
        }
        if case .collection(let elements)? = argument, elements.isEmpty { return [] }
        guard found.isEmpty else { return found }
        notes.unproven(
            .pinNotLiteral,
            path,
            argument == nil
                ? "The pins are all certificates of the app's bundle, which this file does not show."
                : "The pinned \(label) are not in this file.",
            "Check them where they are: pinhole pins FILE shows the pins of a certificate."
        )
        if !validates {
            let sentence = "Chain and dates are not looked at beside the pins."
            notes.fail(.invalidAllowed, path, sentence, "Switch the validation on.")
        }
        return nil
    }

    /// The files of certificates that an expression names: `forResource: "ca", withExtension: "cer"`, or `"ca.cer"`.
    private func resources(in value: SourceValue, _ depth: Int) -> [String] {
        switch value {
        case .text(let text): return Self.endings.contains { text.hasSuffix($0) } ? [text] : []
        case .collection(let elements): return elements.flatMap { resources(in: $0.value, depth) }
        case .call(_, let elements):
            let labels = ["forResource", "withExtension", "ofType", "named"]
            let texts = labels.map { label -> String? in
                guard case .text(let text)? = elements.first(where: { $0.name == label })?.value else {
                    return nil
                }
                return text
            }
            guard let name = texts[0] ?? texts[3] else {
                return elements.flatMap { resources(in: $0.value, depth) }
            }
            let ending = texts[1] ?? texts[2]
            return [ending.map { "\(name).\($0)" } ?? name]
        default: return []
        }
    }
}
