import PinholeModel
import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Alamofire's evaluators in Swift: the dictionary of `ServerTrustManager`, and the policies of Alamofire 4.
    static let alamofire = SourceReader(
        title: "Alamofire evaluators",
        marks: Array(AlamofireReader.classes) + ["ServerTrustPolicy", "ServerTrustEvaluating"]
    ) { reading in
        var reader = AlamofireReader()
        reader.read(&reading)
    }
}

private struct AlamofireReader {
    /// The evaluators of Alamofire 5.
    static let classes: Set = [
        "DefaultTrustEvaluator", "RevocationTrustEvaluator", "PinnedCertificatesTrustEvaluator",
        "PublicKeysTrustEvaluator", "CompositeTrustEvaluator", "DisabledTrustEvaluator", "DisabledEvaluator",
    ]
    /// The cases of `ServerTrustPolicy` in Alamofire 4.
    private static let cases: Set = [
        "performDefaultEvaluation", "pinCertificates", "pinPublicKeys", "disableEvaluation",
        "customEvaluation",
    ]

    private var entries: [HostPolicies.Entry] = []
    private var hasFindings = false

    mutating func read(_ reading: inout SourceReading) {
        let code = reading.code
        for index in code.tokens.indices where code.tokens[index].isMark("[") {
            let end = code.end(of: index)
            // evaluators["example.com"] = DefaultTrustEvaluator()
            if code.isMark("=", at: end + 1), !code.isMark("=", at: end + 2), code[index - 1]?.name != nil {
                let value = reading.evaluator.value(at: end + 2)
                guard Self.isEvaluator(value) else {
                    if code[index - 1]?.lastName?.lowercased().hasSuffix("evaluators") == true {
                        noteForeign(value, .root("line \(code.line(of: index))"), &reading)
                    }
                    continue
                }
                let key = reading.evaluator.value(at: index + 1, before: end)
                append(value, for: key, at: index, &reading)
                continue
            }
            guard Self.mayHoldEvaluators(index, code, reading) else { continue }
            for run in reading.evaluator.runs(at: index) {
                for element in reading.evaluator.elements(in: index, run) {
                    guard let key = element.key else { continue }
                    guard Self.isEvaluator(element.value) else {
                        noteForeign(element.value, .root("line \(element.line)"), &reading)
                        continue
                    }
                    append(element.value, for: key, line: element.line, &reading)
                }
            }
        }
        readOwnEvaluators(&reading)
        if !entries.isEmpty {
            reading.add(
                HostPolicies(
                    entries.map { ($0.patterns, $0.policy) },
                    namesHosts: true,
                    refusesOthers: refusesOtherHosts(&reading)
                )
            )
        } else if !hasFindings {
            let names = Self.classes.union(["ServerTrustPolicy"])
            reading.notes.unproven(
                reading.path(reading.places(of: names).first ?? 0),
                "No entry [\"example.com\": …TrustEvaluator()] is written out in this file.",
                "Write the dictionary of evaluators out."
            )
        }
    }

    /// Notes an evaluator that is no class of Alamofire.
    private mutating func noteForeign(
        _ value: SourceValue,
        _ path: DocumentPath,
        _ reading: inout SourceReading
    ) {
        hasFindings = true
        guard reading.isFirst("evaluator \(path) \(value.code)") else { return }
        reading.notes.unproven(
            path,
            "The evaluator \(DocumentPath.cut(value.code)) judges the server in code, which is not run here.",
            "Prove it with the app itself: pinhole audit -- COMMAND."
        )
    }

    /// Reads the evaluators that the app makes itself: `func evaluate(_ trust: SecTrust, forHost host: String)`.
    private mutating func readOwnEvaluators(_ reading: inout SourceReading) {
        guard !reading.places(of: ["ServerTrustEvaluating"]).isEmpty else { return }
        for function in reading.evaluator.functions(named: "evaluate") {
            guard let place = function.place, reading.code[place - 1]?.name == "func" else { continue }
            hasFindings = true
            switch reading.evaluator.answer(ofChecks: function.body) {
            case .accepts: reading.acceptsEverything(at: place, by: "evaluate")
            case .refuses: break
            case .undecided: reading.undecided(at: place, by: "evaluate")
            }
        }
    }

    /// Whether a host without an evaluator is refused (`allHostsMustBeEvaluated`, by default in Alamofire 5).
    ///
    /// Alamofire 4 leaves such hosts to default handling.
    private func refusesOtherHosts(_ reading: inout SourceReading) -> Bool {
        let old = Self.cases.union(["ServerTrustPolicyManager", "ServerTrustPolicy"])
        guard reading.places(of: old).isEmpty else { return false }
        for index in reading.places(of: ["allHostsMustBeEvaluated"]) {
            guard let place = reading.assigned(at: index) else { continue }
            if let truth = reading.evaluator.value(at: place, before: reading.valueEnd(from: place)).truth {
                return truth
            }
            reading.notes.unproven(
                reading.path(index),
                "Whether hosts without an evaluator are refused is not a literal (allHostsMustBeEvaluated).",
                "Write true or false.",
                as: .hostNotLiteral
            )
            return false
        }
        return true
    }

    /// Whether brackets may hold evaluators: other ones are not read, since they may be large.
    private static func mayHoldEvaluators(_ index: Int, _ code: SourceCode, _ reading: SourceReading) -> Bool
    {
        var place = index + 1
        let end = code.end(of: index)
        while place < end {
            if code.isMark(":", at: place), let next = code[place + 1] {
                let name = next.isMark(".") ? code[place + 2]?.lastName : next.lastName
                if let name, classes.contains(name) || cases.contains(name) { return true }
                if next.name != nil, isEvaluator(reading.evaluator.value(at: place + 1, before: place + 2)) {
                    return true
                }
            }
            place = code.tokens[place].isMark(of: "([{") ? code.end(of: place) + 1 : place + 1
        }
        return false
    }

    private static func isEvaluator(_ value: SourceValue) -> Bool {
        value.lastName.map { classes.contains($0) || cases.contains($0) } ?? false
    }

    private mutating func append(
        _ value: SourceValue,
        for key: SourceValue,
        at index: Int,
        _ reading: inout SourceReading
    ) {
        append(value, for: key, line: reading.code.line(of: index), &reading)
    }

    private mutating func append(
        _ value: SourceValue,
        for key: SourceValue,
        line: Int,
        _ reading: inout SourceReading
    ) {
        let path = DocumentPath.root("line \(line)")
        let evaluator = policy(value, path, &reading)
        hasFindings = true
        guard let host = key.wholeText else {
            // Whatever the host is, its servers are all accepted.
            if evaluator is AlamofireDisabledPolicy {
                reading.add(BrokenPolicy(acceptingAllAt: path.description, by: "DisabledTrustEvaluator"))
            }
            reading.notes.hostNotLiteral(key.code, path, remedy: "Write it as [\"example.com\": …].")
            return
        }
        do throws(AddressFailure) {
            let exact = try Host(host)
            guard let evaluator else { return }
            entries.append(HostPolicies.Entry([try HostPattern(exact.uriText)], evaluator))
        } catch {
            reading.notes.fail(
                .neverMatches,
                path,
                "Alamofire looks evaluators up by the host of the request: “\(DocumentPath.cut(host))” is none.",
                "Write the host as it stands in a URL, such as api.example.com."
            )
        }
    }

    /// The policy of an evaluator; `nil` if the code does not show what it compares.
    private mutating func policy(
        _ value: SourceValue,
        _ path: DocumentPath,
        _ reading: inout SourceReading
    ) -> (any TrustPolicy)? {
        var name = value.lastName ?? ""
        var arguments: [SourceElement] = []
        if case .call(let call) = value { (name, arguments) = (call.name, call.arguments) }
        // Alamofire 4 has one switch for chain and dates.
        let validates =
            flag("performDefaultValidation", arguments, path, &reading.notes)
            && flag("validateCertificateChain", arguments, path, &reading.notes)
        let validatesHost = flag("validateHost", arguments, path, &reading.notes)
        switch name {
        case "DefaultTrustEvaluator", "performDefaultEvaluation":
            return AlamofireDefaultPolicy(validateHost: validatesHost)
        case "RevocationTrustEvaluator":
            return AlamofireRevocationPolicy(
                performDefaultValidation: validates,
                validateHost: validatesHost
            )
        case "PinnedCertificatesTrustEvaluator", "pinCertificates":
            return pins("certificates", arguments, validates, path, &reading).map {
                AlamofirePinnedCertificatesPolicy(
                    certificates: $0,
                    acceptSelfSignedCertificates: flag(
                        "acceptSelfSignedCertificates",
                        arguments,
                        path,
                        &reading.notes,
                        false
                    ),
                    performDefaultValidation: validates,
                    validateHost: validatesHost
                )
            }
        case "PublicKeysTrustEvaluator", "pinPublicKeys":
            let label = name == "pinPublicKeys" ? "publicKeys" : "keys"
            return pins(label, arguments, validates, path, &reading).map {
                AlamofirePublicKeysPolicy(
                    certificates: $0,
                    performDefaultValidation: validates,
                    validateHost: validatesHost
                )
            }
        case "CompositeTrustEvaluator":
            guard let parts = arguments.first?.value.elements else {
                noteForeign(arguments.first?.value ?? value, path, &reading)
                return nil
            }
            var policies: [any TrustPolicy] = []
            for part in parts {
                guard let policy = policy(part.value, path, &reading) else { return nil }
                policies.append(policy)
            }
            return try? AlamofireCompositePolicy(evaluators: policies)
        case "customEvaluation":
            guard case .closure(let closure)? = arguments.first?.value,
                reading.evaluator.answer(of: closure) == .accepts
            else {
                reading.notes.unproven(
                    path,
                    "customEvaluation judges the server in code, which is not run here.",
                    "Prove it with the app itself: pinhole audit -- COMMAND."
                )
                return nil
            }
            return AlamofireDisabledPolicy()
        case "DisabledTrustEvaluator", "DisabledEvaluator", "disableEvaluation":
            return AlamofireDisabledPolicy()
        default:
            noteForeign(value, path, &reading)
            return nil
        }
    }

    private func flag(
        _ label: String,
        _ arguments: [SourceElement],
        _ path: DocumentPath,
        _ notes: inout DocumentNotes,
        _ usual: Bool = true
    ) -> Bool {
        guard let value = arguments.first(where: { $0.label == label })?.value else { return usual }
        if let truth = value.truth { return truth }
        notes.unproven(
            path,
            "\(label) (\(DocumentPath.cut(value.code))) is not a literal in this file; it is read as \(usual), "
                + "Alamofire's default.",
            "Write true or false."
        )
        return usual
    }

    /// The certificates of the resources that an argument names; `nil` if the code does not show them.
    private func pins(
        _ label: String,
        _ arguments: [SourceElement],
        _ validates: Bool,
        _ path: DocumentPath,
        _ reading: inout SourceReading
    ) -> [CertificateFacts]? {
        let argument = arguments.first { $0.label == label }?.value
        if let elements = argument?.elements, elements.isEmpty { return [] }
        do throws(PolicyFailure) {
            let found = try reading.certificates(named: argument)
            guard found.isEmpty else { return found }
        } catch {
            reading.notes.missing(path, "\(error)")
            return nil
        }
        reading.notes.unproven(
            path,
            argument == nil
                ? "The pins are all certificates of the app's bundle, which this file does not show."
                : "The pinned \(label) are not in this file.",
            "Check them where they are: pinhole pins FILE shows the pins of a certificate."
        )
        if !validates {
            let sentence = "Chain and dates are not looked at beside the pins."
            reading.notes.fail(.invalidAllowed, path, sentence, "Switch the validation on.")
        }
        return nil
    }
}

extension SourceReading {
    /// The endings of the files in which apps ship certificates.
    private static let endings = [".cer", ".crt", ".der", ".pem"]

    /// The certificates of the files that an expression names: `forResource: "ca", withExtension: "cer"`, or `"ca.cer"`.
    func certificates(named value: SourceValue?) throws(PolicyFailure) -> [CertificateFacts] {
        var found: [CertificateFacts] = []
        for name in value.map({ Self.resources(in: $0) }) ?? [] { found += try files.certificates(name) }
        return found
    }

    static func resources(in value: SourceValue) -> [String] {
        switch value {
        case .text(let text):
            guard let whole = text.whole, endings.contains(where: { whole.hasSuffix($0) }) else { return [] }
            return [whole]
        case .collection(let elements): return elements.flatMap { resources(in: $0.value) }
        case .call(let call):
            let labels = ["forResource", "pathForResource", "URLForResource", "named"]
            let endings = ["withExtension", "ofType"]
            guard let name = labels.lazy.compactMap({ call.argument($0)?.wholeText }).first else {
                return call.arguments.flatMap { resources(in: $0.value) }
            }
            let ending = endings.lazy.compactMap { call.argument($0)?.wholeText }.first
            return [ending.map { "\(name).\($0)" } ?? name]
        default: return []
        }
    }
}
