import PinholeSource

extension SourceReader {
    /// Delegates of URLSession, NSURLConnection and WKWebView in Swift and Objective-C that judge servers themselves.
    static let urlSession = SourceReader(
        title: "URLSession delegate",
        marks: [
            "didReceive", "didReceiveChallenge", "NSURLSessionAuthChallengeUseCredential", "useCredential",
            "setSessionDidReceiveAuthenticationChallengeBlock", "setAllowsAnyHTTPSCertificate",
            "allowsAnyHTTPSCertificateForHost", "continueWithoutCredentialForAuthenticationChallenge",
            "SecTrustSetExceptions", "certificateVerification",
        ],
        commonMarks: ["didReceive", "didReceiveChallenge", "useCredential", "certificateVerification"],
        signs: [
            "SecTrustEvaluate", "SecTrustEvaluateWithError", "SecTrustEvaluateAsyncWithError",
            "SecTrustSetAnchorCertificates", "serverTrust", "NSURLAuthenticationMethodServerTrust",
            "sec_protocol_options_set_verify_block",
        ],
        languages: [.swift, .objectiveC]
    ) { reading in
        URLSessionReader.read(&reading)
    }
}

/// Looks at each place at which a delegate accepts a server: whether code in front of it evaluates the chain.
private enum URLSessionReader {
    /// The dispositions that accept the server with a credential made of its chain.
    private static let dispositions: Set = ["useCredential", "NSURLSessionAuthChallengeUseCredential"]
    /// Functions whose call shows that the delegate looks at the chain, or lets another object do so.
    private static let checks: Set = [
        "SecTrustEvaluate", "SecTrustEvaluateWithError", "SecTrustEvaluateAsync",
        "SecTrustEvaluateAsyncWithError", "SecTrustGetTrustResult", "SecTrustCopyCertificateChain",
        "SecTrustGetCertificateAtIndex", "SecTrustCopyPublicKey", "SecTrustCopyKey", "SecCertificateCopyData",
        "evaluateServerTrust", "evaluate", "pinningValidator", "handle", "handleChallenge",
        "handleAuthenticationChallenge", "NSURLAuthenticationMethodClientCertificate", "identity",
        "certificateVerification", "validate", "isValid", "verify", "performValidation",
    ]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        for index in code.tokens.indices {
            guard let name = code.tokens[index].lastName else { continue }
            if dispositions.contains(name) {
                judge(at: index, &reading)
            } else if name == "continueWithoutCredentialForAuthenticationChallenge",
                makesCredential(index, reading)
            {
                judge(at: index, &reading)
            } else if name == "allowsAnyHTTPSCertificateForHost", let brace = body(behind: index, code) {
                if reading.evaluator.answer(ofBody: (brace + 1)..<code.end(of: brace)) == .accepts {
                    reading.acceptsEverything(at: index, by: name)
                }
            } else if name == "certificateVerification", let place = reading.assigned(at: index) {
                // `configuration.certificateVerification = .none` of SwiftNIO.
                let value = code.isMark(".", at: place) ? place + 1 : place
                switch code[value]?.lastName {
                case "none": reading.acceptsEverything(at: index, by: name)
                case "noHostnameVerification": reading.ignoresHost(at: index, by: name)
                default: break
                }
            } else if name == "setAllowsAnyHTTPSCertificate", code.isMark(":", at: index + 1) {
                // `[NSURLRequest setAllowsAnyHTTPSCertificate:YES forHost:host]`
                switch code[index + 2]?.name {
                case "YES", "true", "1": reading.acceptsEverything(at: index, by: name)
                case "NO", "false", "0": break
                default: reading.undecided(at: index, by: name)
                }
            } else if name == "SecTrustSetExceptions" {
                // The exceptions of SecTrustCopyExceptions let the same chain pass afterwards.
                reading.undecided(at: index, by: name)
            }
        }
        guard code.tokens.allSatisfy({ $0.lastName.map(dispositions.contains) != true }) else { return }
        for index in code.tokens.indices where code.tokens[index].lastName == "AuthChallengeDisposition" {
            // `AuthChallengeDisposition(rawValue: 0)` is .useCredential.
            guard code.isMark("(", at: index + 1), makesCredential(index, reading) else { continue }
            reading.undecided(at: index, by: "The delegate")
        }
    }

    /// The method `+allowsAnyHTTPSCertificateForHost:` is private to Apple, and apps replace it.
    private static func body(behind index: Int, _ code: SourceCode) -> Int? {
        (index..<min(code.tokens.count, index + 16)).first { code.isMark("{", at: $0) }
    }

    private static func judge(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        let body = function(around: index, code)
        // A credential of a user or of a client's certificate says nothing about the server.
        guard makesCredential(index, reading) else { return }
        // A delegate that only compares the kind of the question accepts every server.
        let names = body.map { code.tokens[$0].flatMap(parts) } ?? []
        let asksOthers = names.contains(where: checks.contains)
        let asksHost = names.contains("host") && body.map { comparesHost($0, code) } == true
        if asksOthers || asksHost
            || names.contains(where: { $0.lowercased().contains("pin") || $0.lowercased().contains("sha256") }
            )
        {
            reading.undecided(at: index, by: "The delegate")
        } else {
            reading.acceptsEverything(at: index, by: "The delegate")
        }
    }

    private static func parts(_ token: SourceToken) -> [String] {
        token.name?.split(separator: ".").map(String.init) ?? []
    }

    private static func comparesHost(_ body: Range<Int>, _ code: SourceCode) -> Bool {
        body.contains { place in
            guard code.tokens[place].lastName == "host" else { return false }
            return (place..<min(body.upperBound, place + 6)).contains {
                code.isMark("=", at: $0) || code.tokens[$0].lastName == "isEqualToString"
                    || code.tokens[$0].lastName == "contains"
            }
                && code.tokens[place..<min(body.upperBound, place + 8)].contains {
                    $0.isLiteral || $0.lastName?.lowercased().contains("host") == true
                }
        }
    }

    /// Whether the credential of the answer is made of the server's chain.
    private static func makesCredential(_ index: Int, _ reading: SourceReading) -> Bool {
        guard let body = function(around: index, reading.code) else { return false }
        return reading.code.tokens[body].contains { token in
            ["serverTrust", "trust", "credentialForTrust", "initWithTrust", "forTrust"].contains(
                token.lastName ?? ""
            )
        }
    }

    /// The body of the method or closure around a place: the outermost braces within its class.
    private static func function(around index: Int, _ code: SourceCode) -> Range<Int>? {
        let braces = code.ancestors(of: index).filter { code.isMark("{", at: $0) }
        guard !braces.isEmpty else { return nil }
        // Braces of conditions and closures are within those of the method, and these within those of the class.
        let brace =
            braces.first { brace in
                if let function = SourceFunction.of(brace: brace, in: code) { return function.name != nil }
                return isMethod(brace, code)
            } ?? braces.last ?? 0
        return (brace + 1)..<max(brace + 1, code.end(of: brace))
    }

    /// Whether braces are the body of a method of Objective-C, whose head begins with `-` or `+`.
    private static func isMethod(_ brace: Int, _ code: SourceCode) -> Bool {
        guard code.language == .objectiveC else { return false }
        return code.parent(of: brace) == nil
    }
}
