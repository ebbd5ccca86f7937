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
            let calls = code.tokens[function.body].filter {
                $0.lastName == "proceed" || $0.lastName == "cancel"
            }
            if calls.isEmpty || calls.contains(where: { $0.lastName == "cancel" }) { continue }
            reading.acceptsEverything(at: function.place ?? 0, by: "onReceivedSslError")
        }
        for index in code.tokens.indices {
            let parts = code.tokens[index].name?.split(separator: ".").map(String.init) ?? []
            guard parts.contains(where: trustAll.contains), !isDeclaration(index, code) else { continue }
            reading.acceptsEverything(at: index, by: parts.first(where: trustAll.contains) ?? "")
        }
        // The pins of OkHttp are told with their verifier.
        guard !reading.found.contains(where: { $0.title == SourceReader.okHttp.title }) else { return }
        for index in reading.places(of: verifiers) {
            if reading.acceptsEveryName(at: index) {
                reading.ignoresHost(at: index, by: code.tokens[index].lastName ?? "")
            } else if let value = reading.assigned(at: index),
                reading.answer(at: value, before: reading.valueEnd(from: value)) == .accepts
            {
                reading.ignoresHost(at: index, by: code.tokens[index].lastName ?? "")
            }
        }
    }

    private static func isDeclaration(_ index: Int, _ code: SourceCode) -> Bool {
        ["import", "class", "object", "package"].contains(code[index - 1]?.name ?? "")
    }
}
