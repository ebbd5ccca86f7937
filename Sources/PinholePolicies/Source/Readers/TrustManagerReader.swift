import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Trust managers and host verifiers of Java and Kotlin, Netty's and Apache's included.
    static let trustManagers = SourceReader(
        title: "Java trust manager",
        marks: [
            "checkServerTrusted", "HostnameVerifier", "hostnameVerifier", "setHostnameVerifier",
            "setDefaultHostnameVerifier", "InsecureTrustManagerFactory", "NoopHostnameVerifier",
            "ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier", "TrustAllStrategy",
            "loadTrustMaterial", "onReceivedSslError", "setEndpointIdentificationAlgorithm",
            "endpointIdentificationAlgorithm", "sslSocketFactory", "trustManager", "defaultHostnameVerifier",
            "SslContextFactory", "Client.Default", "newInstance", "SSLContext",
        ],
        commonMarks: [
            "sslSocketFactory", "trustManager", "SslContextFactory", "Client.Default", "newInstance",
            "SSLContext",
        ],
        signs: [
            "X509TrustManager", "X509ExtendedTrustManager", "TrustManagerFactory",
            "SSLCertificateSocketFactory",
        ],
        languages: [.java, .kotlin],
        isOfKind: TrustManagerReader.isOfKind
    ) { reading in
        TrustManagerReader.read(&reading)
    }
}

private enum TrustManagerReader {
    /// Values of libraries that accept every chain.
    private static let trustAll: Set = ["InsecureTrustManagerFactory", "TrustAllStrategy", "TrustAllCerts"]
    /// Calls and members that take a verifier of host names.
    private static let verifiers: Set = [
        "hostnameVerifier", "setHostnameVerifier", "setDefaultHostnameVerifier", "setSSLHostnameVerifier",
        "defaultHostnameVerifier",
    ]

    /// The call of Java and the property of Kotlin that say how the name is compared.
    private static let algorithms: Set = [
        "setEndpointIdentificationAlgorithm", "endpointIdentificationAlgorithm",
    ]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        for function in reading.evaluator.functions(named: "checkServerTrusted") {
            let place = function.place ?? 0
            switch reading.evaluator.answer(ofChecks: function.body) {
            case .accepts: reading.acceptsEverything(at: place, by: "checkServerTrusted")
            case .refuses: break
            case .undecided: reading.undecided(at: place, by: "checkServerTrusted")
            }
        }
        for function in reading.evaluator.functions(named: "onReceivedSslError") {
            let calls = Set(code.tokens[function.body].compactMap(\.lastName))
            guard calls.contains("proceed") else { continue }
            // The default is to cancel.
            if calls.contains("cancel") || calls.contains("onReceivedSslError") {
                reading.undecided(at: function.place ?? 0, by: "onReceivedSslError")
            } else {
                reading.acceptsEverything(at: function.place ?? 0, by: "onReceivedSslError")
            }
        }
        for index in code.tokens.indices {
            let parts = code.tokens[index].name?.split(separator: ".").map(String.init) ?? []
            guard parts.contains(where: trustAll.contains), !isDeclaration(index, code) else { continue }
            reading.acceptsEverything(at: index, by: parts.first(where: trustAll.contains) ?? "")
        }
        let parameters = parameters(in: code)
        // The file or another one of the project may show how a trust manager is made.
        let isShown =
            code.tokens.contains(where: { $0.hasPart { managers.contains(String($0)) } })
            || reading.evaluator.othersName(makers) == true
        for index in code.tokens.indices {
            verdict(at: index, parameters, code, isShown)?(&reading)
        }
        for index in reading.places(of: ["loadTrustMaterial"]) { readStrategy(at: index, &reading) }
        for index in reading.places(of: algorithms) { readAlgorithm(at: index, &reading) }
        readVerifiers(&reading)
    }

    /// The words of files that show a trust manager.
    private static let managers: Set = [
        "checkServerTrusted", "TrustManagerFactory", "HandshakeCertificates", "platformTrustManager",
        "InsecureTrustManagerFactory",
    ]

    /// The words by which another file makes one; a field with the type does not.
    private static let makers: Set = [
        "checkServerTrusted", "getTrustManagers", "trustManagers", "HandshakeCertificates",
        "platformTrustManager", "InsecureTrustManagerFactory",
    ]
    /// The types of values that judge servers.
    private static let types: Set = [
        "TrustManager", "X509TrustManager", "X509ExtendedTrustManager", "HostnameVerifier",
    ]

    /// The most tokens on each side of a call that are taken for its statement.
    private static let longestStatement = 60
    /// The most blocks around a trust manager that are looked at.
    private static let outermost = 64

    @Sendable static func isOfKind(_ code: SourceCode) -> Bool {
        let parameters = parameters(in: code)
        return code.tokens.indices.contains { verdict(at: $0, parameters, code) != nil }
    }

    /// The verdict on a place that takes a trust manager or a verifier from elsewhere; `nil` for other places.
    private static func verdict(
        at index: Int,
        _ parameters: Set<String>,
        _ code: SourceCode,
        _ isShown: Bool = false
    ) -> ((inout SourceReading) -> Void)? {
        func ask(_ name: String) -> (inout SourceReading) -> Void {
            { if !isShown { $0.undecided(at: index, by: "The trust manager of \(name)") } }
        }
        let isCall = code.isMark("(", at: index + 1)
        let name = code.tokens[index].name ?? ""
        switch code.tokens[index].lastName {
        // A client of OkHttp gets its sockets.
        case "sslSocketFactory"
        where isCall && !code.isMark(")", at: index + 2) && !code.isDeclaration(index):
            return ask("sslSocketFactory")
        case "init" where isCall && takes(parameters, index, code):
            return ask("SSLContext")
        // Ktor: `https { trustManager = … }`.
        case "trustManager" where code.isMark("=", at: index + 1) && isOfHTTPS(index, code):
            return code[index + 2]?.name == "null" ? { _ in } : ask("https")
        // A class that only the running program knows: `(TrustManager[]) Class.forName(name).newInstance()`.
        case "newInstance" where isCall && makesManager(index, code):
            return { $0.undecided(at: index, by: "newInstance of a trust manager") }
        // Feign: `new Client.Default(factory, verifier)`.
        case "Default"
        where name.hasSuffix("Client.Default") && isCall && code.end(of: index + 1) > index + 2:
            return { reading in
                let comma = reading.valueEnd(from: index + 2)
                let rest = (comma + 1)..<max(comma + 1, code.end(of: index + 1))
                tell(reading.verifierAnswer(of: rest), at: index, &reading)
            }
        // Jetty's factory with one argument: true trusts everything, and a text is a file with keys.
        case "SslContextFactory", "Client":
            guard ["SslContextFactory", "SslContextFactory.Client"].contains(where: name.hasSuffix), isCall,
                code.isMark(")", at: index + 3), !code.isDeclaration(index)
            else { return nil }
            return { reading in
                guard reading.evaluator.elements(in: index + 1).first?.value.truth == true else { return }
                reading.acceptsEverything(at: index, by: "\(name)(true)")
            }
        default: return nil
        }
    }

    private static func isOfHTTPS(_ index: Int, _ code: SourceCode) -> Bool {
        code.tokens[index].qualifier?.split(separator: ".").last == "https"
            || code.ancestors(of: index).prefix(outermost).contains {
                code.isMark("{", at: $0) && code[$0 - 1]?.name == "https"
            }
    }

    /// Whether the statement around a call has one of the types.
    private static func makesManager(_ index: Int, _ code: SourceCode) -> Bool {
        let end = code.statementEnd(from: index)
        var start = index
        while start > max(0, index - longestStatement), !code.tokens[start - 1].isMark(of: ";{}") {
            if code.language == .kotlin, code.endsLine(before: start) { break }
            start -= 1
        }
        return code.tokens[start..<max(start, min(end, index + longestStatement))].contains {
            $0.lastName.map(types.contains) == true
        }
    }

    /// Whether the second of three arguments has one of some names.
    private static func takes(_ names: Set<String>, _ index: Int, _ code: SourceCode) -> Bool {
        let first = code.valueEnd(from: index + 2)
        guard code.isMark(",", at: first) else { return false }
        let second = (first + 1)..<max(first + 1, code.valueEnd(from: first + 1))
        return code.isMark(",", at: second.upperBound)
            && code.tokens[second].contains { $0.lastName.map(names.contains) == true }
    }

    /// The names that are declared with one of the types and get no value here: parameters, and fields that get them.
    private static func parameters(in code: SourceCode) -> Set<String> {
        var declared: Set<String> = []
        var given: Set<String> = []
        for (index, token) in code.tokens.enumerated() {
            guard let name = token.lastName else { continue }
            if code.isMark("=", at: index + 1), code[index + 2]?.lastName != name { given.insert(name) }
            guard types.contains(name) else { continue }
            // `TrustManager[] managers`, `managers: Array<TrustManager>`
            var place = index + 1
            if code.language == .kotlin {
                place = max(0, index - 4)
                while place < index, !code.isMark(":", at: place + 1) { place += 1 }
            } else {
                while code[place]?.isMark(of: "[].>?") == true { place += 1 }
            }
            if place != index, let name = code[place]?.lastName { declared.insert(name) }
        }
        return declared.subtracting(given)
    }

    /// `loadTrustMaterial(null, (chain, type) -> true)` of Apache's client: the last argument accepts a chain by itself.
    private static func readStrategy(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        guard code.isMark("(", at: index + 1) else { return }
        let end = code.end(of: index + 1)
        var start = index + 2
        while start < end, case let next = reading.valueEnd(from: start), next < end, next > start {
            start = next + 1
        }
        let names = code.tokens[start..<max(start, end)].compactMap(\.lastName)
        let strategy = reading.evaluator.functions(named: "isTrusted").first {
            (start..<end).contains($0.place ?? -1)
        }
        let answer =
            strategy.map { reading.evaluator.answer(ofFunction: $0) }
            ?? reading.evaluator.closure(at: start, before: end).map { reading.evaluator.answer(of: $0) }
        let name = "loadTrustMaterial"
        switch answer {
        case .accepts: reading.acceptsEverything(at: index, by: name)
        case .undecided: reading.undecided(at: index, by: name)
        // A strategy of the library trusts every certificate that signed itself.
        case nil where names.contains { $0.hasSuffix("SelfSignedStrategy") }:
            reading.acceptsEverything(at: index, by: "TrustSelfSignedStrategy")
        case nil where names.contains { $0.hasSuffix("Strategy") && $0 != "TrustAllStrategy" }:
            reading.undecided(at: index, by: name)
        case .refuses, nil: break
        }
    }

    /// Sockets and engines of Java compare no name without an algorithm.
    private static func readAlgorithm(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        guard !code.isDeclaration(index) else { return }
        let isCall = code.isMark("(", at: index + 1)
        let argument = isCall ? reading.evaluator.elements(in: index + 1).first?.value : nil
        let setting =
            code.isMark("=", at: index + 1)
            ? reading.assigned(at: index).map { reading.value(at: $0) { $0.truthiness == false } } : nil
        guard let value = argument ?? setting else { return }
        let name = code.tokens[index].lastName ?? ""
        switch value.truthiness {
        case true?: break
        case false?: reading.ignoresHost(at: index, by: "\(name)(\(value.code))")
        case nil: reading.notLiteral(value, of: name, at: index, remedy: "Write \"HTTPS\".")
        }
    }

    private static func readVerifiers(_ reading: inout SourceReading) {
        // The pins of OkHttp are told with their verifier.
        let isOkHttp = reading.found.contains { ($0.policy as? OkHttpPolicy)?.pins.isEmpty == false }
        let setters = reading.verifierPlaces(of: verifiers)
        for index in setters {
            if isOkHttp, reading.code.tokens[index].lastName == "hostnameVerifier" { continue }
            tell(reading.verifierAnswer(at: index), at: index, &reading)
        }
        // `new SSLConnectionSocketFactory(context, NoopHostnameVerifier.INSTANCE)`
        let set = setters.compactMap { reading.verifier(at: $0) }
        for index in reading.code.tokens.indices where !set.contains(where: { $0.contains(index) }) {
            guard let name = reading.code.tokens[index].name, !isDeclaration(index, reading.code),
                reading.code.parent(of: index).map({ reading.code.isMark("(", at: $0) }) == true,
                let acceptor = name.split(separator: ".").map(String.init).first(
                    where: SourceReading.acceptors.contains
                )
            else { continue }
            reading.ignoresHost(at: index, by: acceptor)
        }
        // A verifier that another file may set.
        guard setters.isEmpty, reading.code.words.contains("HostnameVerifier") else { return }
        for (index, answer) in reading.declaredVerifiers() { tell(answer, at: index, &reading) }
    }

    private static func tell(_ answer: SourceAnswer?, at index: Int, _ reading: inout SourceReading) {
        let name = reading.code.tokens[index].lastName ?? ""
        switch answer {
        case .accepts: reading.ignoresHost(at: index, by: name)
        case .undecided: reading.undecided(at: index, by: name)
        case .refuses, nil: break
        }
    }

    private static func isDeclaration(_ index: Int, _ code: SourceCode) -> Bool {
        ["import", "class", "object", "package"].contains(code[index - 1]?.name ?? "")
    }
}
