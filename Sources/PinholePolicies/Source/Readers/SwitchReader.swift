import PinholeSource

extension SourceReader {
    /// Settings of libraries that leave out the check of the server, each with the value that does so.
    static let switches = SourceReader(
        title: "TLS settings",
        marks: SwitchReader.settings.flatMap(\.names) + SwitchReader.numbers.keys.sorted(),
        commonMarks: [
            "verify_mode", "verify_ssl", "ssl_verify", "verify_hostname", "disable_verification", "VerifySsl",
            "verifySsl", "allowSelfSigned", "validatedDN", "SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG",
        ],
        signs: [
            "VERIFY_NONE", "SSL_VERIFY_NONE", "MBEDTLS_SSL_VERIFY_OPTIONAL", "SSL_CTX_set_verify",
            "SSL_CTX_set_cert_verify_callback", "MBEDTLS_SSL_VERIFY_NONE",
            "gnutls_certificate_set_verify_function", "setPeerVerifyMode", "ignoreSslErrors",
            "set_verify_callback", "set_verify_mode", "verify_none", "setInsecure",
            "SECURITY_FLAG_IGNORE_UNKNOWN_CA", "SkipCertificateCheck", "ICertificatePolicy",
            "TLSSettingsSimple", "CheckValidationResult", "DANGER_ACCEPT_INVALID_CERTS",
            "useRelaxedHTTPSValidation", "ServerTrustAuthResponseAction", "customVerificationCallback",
            "EnableInsecureSkipVerify", "disableTLSCerts", "allowBadCertificates", "CVerifyNone",
            "mosquitto_tls_insecure_set", "OPT_X_TLS_NEVER", "ssl-strict", "ssl_verify_peer",
            "verify_callback", "relaxedHTTPSValidation", "GCDAsyncSocketManuallyEvaluateTrust",
            "kSSLSessionOptionBreakOnServerAuth", "SSL_fingerprint", "PERL_LWP_SSL_VERIFY_HOSTNAME",
        ]
    ) { reading in
        SwitchReader.read(&reading)
    }
}

private enum SwitchReader {
    /// The options of libcurl by the function and the number that it gets.
    static let numbers = [
        "curl_easy_setopt 64": "CURLOPT_SSL_VERIFYPEER", "curl_easy_setopt 81": "CURLOPT_SSL_VERIFYHOST",
        "curl_setopt 64": "CURLOPT_SSL_VERIFYPEER", "curl_setopt 81": "CURLOPT_SSL_VERIFYHOST",
    ]

    typealias Settings = (truth: Bool, ofHost: Bool, languages: Set<SourceLanguage>, names: [String])
    /// The settings of libraries by the value that is bad, by whether they concern the host alone, and by language:
    /// curl, OpenSSL and PHP's streams; reqwest and ureq; Starscream, SocketRocket and CFStream;
    /// Net::HTTP, Typhoeus, LWP and Lua-cURL; WordPress, cpp-httplib, cpr and paho; Playwright, Puppeteer and Selenium;
    /// Vert.x, Jsoup, JavaMail and Kafka; MongoDB's drivers and httplib2.
    static let settings: [Settings] = [
        (true, false, [], ["danger_accept_invalid_certs", "disableSSLCertValidation"]),
        (true, false, [], ["SR_SSLAllowsAnyCertificate", "mail.smtp.ssl.trust"]),
        (true, false, [], ["tlsAllowInvalidCertificates", "disable_ssl_certificate_validation"]),
        (true, true, [], ["danger_accept_invalid_hostnames", "invalidHostNameAllowed"]),
        (true, true, [], ["tlsAllowInvalidHostnames"]),
        (false, true, [], ["set_verify_hostname", "CURLOPT_SSL_VERIFYHOST", "SSL_VERIFYHOST"]),
        (false, true, [], ["verify_peer_name", "mail.smtp.ssl.checkserveridentity"]),
        (false, true, [], ["ssl.endpoint.identification.algorithm"]),
        (false, false, [], ["CURLOPT_SSL_VERIFYPEER", "SSL_VERIFYPEER", "verify_peer"]),
        (false, false, [], ["validatesSecureCertificate", "setValidatesSecureCertificate"]),
        (false, false, [], ["kCFStreamSSLValidatesCertificateChain", "validateTLSCertificates"]),
        (false, false, [], ["require_ssl_verification"]),
        (false, false, [.ruby], ["verify_mode", "ssl_verify_mode", "SSL_verify_mode", "verify_ssl"]),
        (false, false, [.ruby], ["verify_SSL"]),
        (false, false, [.ruby, .lua, .unknown], ["ssl_verifypeer", "ssl_verify"]),
        (false, false, [.ruby, .rust], ["ssl_verify_peer"]),
        (false, true, [.rust], ["ssl_verify_host"]),
        (false, true, [.ruby], ["verify_hostname"]),
        (false, false, [.lua], ["setopt_ssl_verifypeer", "OPT_SSL_VERIFYPEER"]),
        (false, true, [.lua], ["setopt_ssl_verifyhost", "OPT_SSL_VERIFYHOST"]),
        (false, false, [.php], ["sslverify"]),
        (false, false, [.objectiveC], ["enable_server_certificate_verification", "VerifySsl"]),
        (false, false, [.objectiveC], ["set_validate_certificates"]),
        (true, false, [.rust], ["disable_verification"]),
        (true, false, [.python], ["tls_insecure_set", "ignore_https_errors"]),
        (true, false, [.script], ["ignoreHTTPSErrors", "acceptInsecureCerts"]),
        (true, false, [.java, .kotlin], ["setTrustAll"]),
        (false, true, [.java, .kotlin], ["setVerifyHost", "SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG"]),
        (false, false, [.java, .kotlin], ["verifySsl"]),
        (true, true, [.objectiveC], ["skip_cert_common_name_check"]),
        (true, false, [.swift], ["allowSelfSigned", "allowUntrustCACertificate"]),
        (false, true, [.swift], ["validatedDN"]),
        (true, true, [], [flag]),
        (false, false, [], [function]),
    ]
    /// The setting that an empty text switches on.
    private static let flag = "jdk.internal.httpclient.disableHostnameVerification"
    /// The setting that is a function, which gets the value behind the object.
    private static let function = "sec_protocol_options_set_peer_authentication_required"

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        // The options of a request with a pin of libcurl are told with the pin.
        let isCurl = reading.found.contains { $0.title == SourceReader.curlOptions.title }
        for index in code.tokens.indices {
            guard
                let name = code.numberOfCall(index).flatMap({ numbers[$0] })
                    ?? reading.settingName(at: index),
                let setting = settings.first(where: { setting in
                    setting.names.contains(name)
                        && (setting.languages.isEmpty || setting.languages.contains(code.language))
                })
            else { continue }
            guard
                !["case", "fn", "def", "fun", "func", "function", "sub"].contains(
                    code[index - 1]?.name ?? ""
                ),
                !(code.isMark("(", at: index + 1) && code.isDeclaration(index)),
                let value = name == function
                    ? argument(behind: index, reading) : reading.settingValue(behind: index),
                value.lastName?.hasPrefix("CURLOPT") != true
            else { continue }
            let isKnown = reading.settingTruth(of: value) != nil
            // An element of a list has no value behind its comma.
            let isOption =
                name.contains("OPT_SSL") || name.hasPrefix("CURLOPT") || name.hasPrefix("SSL_")
                || name.hasPrefix("kCF")
            let isArgument = code.isMark(",", at: index + 1) && !isOption && !isProperty(index, code)
            if isKnown ? isCurl && isOption : isArgument { continue }
            let accepts = reading.found.contains { $0.title == SourceReader.switches.title }
            if setting.ofHost, accepts { continue }
            reading.judge(
                name == flag && value.wholeText == "" ? .boolean(true) : value,
                of: name,
                at: index,
                bad: setting.truth,
                ofHost: setting.ofHost
            )
        }
    }

    /// The second argument of a call.
    private static func argument(behind index: Int, _ reading: SourceReading) -> SourceValue? {
        guard reading.code.isMark("(", at: index + 1) else { return nil }
        return reading.evaluator.elements(in: index + 1).dropFirst().first?.value
    }

    /// Whether a text is the name of a property that a function sets: `System.setProperty("name", value)`.
    private static func isProperty(_ index: Int, _ code: SourceCode) -> Bool {
        code.isMark("(", at: index - 1)
            && ["setProperty", "put"].contains(code[index - 2]?.lastName ?? "")
    }
}
