import PinholeSource

extension SourceReader {
    /// Trust managers and host verifiers of Java and Kotlin, Netty's and Apache's included.
    static let trustManagers = SourceReader(
        title: "Java trust manager",
        marks: [
            "checkServerTrusted", "HostnameVerifier", "hostnameVerifier", "setHostnameVerifier",
            "setDefaultHostnameVerifier", "InsecureTrustManagerFactory", "NoopHostnameVerifier",
            "ALLOW_ALL_HOSTNAME_VERIFIER", "AllowAllHostnameVerifier", "TrustAllStrategy",
            "onReceivedSslError",
        ],
        signs: [
            "X509TrustManager", "X509ExtendedTrustManager", "TrustManagerFactory",
            "SSLCertificateSocketFactory",
        ],
        languages: [.java, .kotlin]
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
    ]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        for function in SourceFunction.named("checkServerTrusted", in: code) {
            let place = function.place ?? 0
            switch reading.evaluator.answer(ofChecks: function.body) {
            case .accepts: reading.acceptsEverything(at: place, by: "checkServerTrusted")
            case .refuses: break
            case .undecided: reading.undecided(at: place, by: "checkServerTrusted")
            }
        }
        for function in SourceFunction.named("onReceivedSslError", in: code) {
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
        // The pins of OkHttp are told with their verifier.
        guard !reading.found.contains(where: { $0.title == SourceReader.okHttp.title }) else { return }
        let places = reading.places(of: verifiers)
        for index in places {
            var answer = reading.nameAnswer(at: index)
            if let value = reading.assigned(at: index) {
                let end = reading.valueEnd(from: value)
                if value < end { answer = reading.nameAnswer(in: value..<end, limit: end) }
                // A parameter has its type behind the colon.
                if code.isMark(":", at: index + 1), answer == .undecided { continue }
            }
            tell(answer, at: index, &reading)
        }
        guard places.isEmpty else { return }
        // A verifier that another file sets.
        for index in reading.places(of: ["HostnameVerifier"]) {
            let before = code[index - 1]?.name ?? ""
            if code.isMark("{", at: index + 1), before != "implements", !code.isMark(":", at: index - 1) {
                tell(reading.nameAnswer(at: index), at: index, &reading)
            } else if ["implements", "new"].contains(before) || code.isMark(":", at: index - 1)
                || code.isMark(",", at: index - 1)
            {
                tell(reading.functionAnswer, at: index, &reading)
            } else if code[index + 1]?.name != nil, !code.endsLine(before: index + 1),
                let value = reading.assigned(at: index + 1)
            {
                // `HostnameVerifier verifier = (host, session) -> true;`
                let end = reading.valueEnd(from: value)
                if value < end {
                    tell(reading.nameAnswer(in: value..<end, limit: end), at: index, &reading)
                }
            }
        }
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
