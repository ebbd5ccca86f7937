import PinholeSource

extension SourceReader {
    /// Settings of libraries that leave out the check of the server, each with the value that does so.
    static let switches = SourceReader(
        title: "TLS settings",
        marks: SwitchReader.settings.map(\.name),
        commonMarks: [
            "verify_mode", "verify_ssl", "ssl_verify", "verify_hostname", "disable_verification", "VerifySsl",
            "verifySsl", "allowSelfSigned", "validatedDN", "SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG",
        ],
        signs: [
            "VERIFY_NONE", "SSL_VERIFY_NONE", "MBEDTLS_SSL_VERIFY_OPTIONAL", "SSL_CTX_set_verify",
            "SSL_CTX_set_cert_verify_callback",
            "MBEDTLS_SSL_VERIFY_NONE", "gnutls_certificate_set_verify_function", "setPeerVerifyMode",
            "ignoreSslErrors", "set_verify_callback", "set_verify_mode", "verify_none", "setInsecure",
            "SECURITY_FLAG_IGNORE_UNKNOWN_CA", "SkipCertificateCheck", "ICertificatePolicy",
            "TLSSettingsSimple",
            "CheckValidationResult", "DANGER_ACCEPT_INVALID_CERTS", "useRelaxedHTTPSValidation",
            "ServerTrustAuthResponseAction", "customVerificationCallback", "EnableInsecureSkipVerify",
            "disableTLSCerts", "allowBadCertificates", "CVerifyNone", "mosquitto_tls_insecure_set",
            "OPT_X_TLS_NEVER", "ssl-strict", "ssl_verify_peer",
            "verify_callback", "relaxedHTTPSValidation", "GCDAsyncSocketManuallyEvaluateTrust",
            "kSSLSessionOptionBreakOnServerAuth",
            "SSL_fingerprint",
            "PERL_LWP_SSL_VERIFY_HOSTNAME",
        ]
    ) { reading in
        SwitchReader.read(&reading)
    }

    /// The same settings of libcurl by their numbers.
    static let curlNumbers = SourceReader(
        title: switches.title,
        marks: SwitchReader.setters,
        commonMarks: Set(SwitchReader.setters),
        languages: [.objectiveC, .php],
        isOfKind: SwitchReader.holdsNumbers
    ) { reading in
        SwitchReader.read(&reading)
    }
}

private enum SwitchReader {
    /// A setting, and the value by which it accepts what it should refuse.
    struct Setting: Sendable {
        let name: String
        let truth: Bool
        /// Whether the setting leaves out the name of the host alone.
        var ofHost = false
        /// The languages of the library; empty for every language.
        var languages: Set<SourceLanguage> = []
        /// Whether an empty text switches it on.
        var isFlag = false
        /// Whether it is a function that gets the value behind the object.
        var isFunction = false
    }

    /// The functions that take an option of libcurl, and the numbers of its options.
    static let setters = ["curl_easy_setopt", "curl_setopt"]
    private static let numbers = ["64": "CURLOPT_SSL_VERIFYPEER", "81": "CURLOPT_SSL_VERIFYHOST"]

    static let settings: [Setting] = [
        // Rust: reqwest, native-tls, openssl.
        Setting(name: "danger_accept_invalid_certs", truth: true),
        Setting(name: "danger_accept_invalid_hostnames", truth: true, ofHost: true),
        Setting(name: "set_verify_hostname", truth: false, ofHost: true),
        // libcurl in C, PHP and Python.
        Setting(name: "CURLOPT_SSL_VERIFYPEER", truth: false), Setting(name: "SSL_VERIFYPEER", truth: false),
        Setting(name: "CURLOPT_SSL_VERIFYHOST", truth: false, ofHost: true),
        Setting(name: "SSL_VERIFYHOST", truth: false, ofHost: true),
        // PHP streams.
        Setting(name: "verify_peer", truth: false),
        Setting(name: "verify_peer_name", truth: false, ofHost: true),
        // Starscream and SocketRocket.
        Setting(name: "disableSSLCertValidation", truth: true),
        Setting(name: "SR_SSLAllowsAnyCertificate", truth: true),
        Setting(name: "validatesSecureCertificate", truth: false),
        Setting(name: "setValidatesSecureCertificate", truth: false),
        // CFStream.
        Setting(name: "kCFStreamSSLValidatesCertificateChain", truth: false),
        // Ruby's Net::HTTP, RestClient, Typhoeus and Excon; Perl's IO::Socket::SSL and LWP; Lua.
        Setting(name: "verify_mode", truth: false, languages: [.ruby]),
        Setting(name: "ssl_verify_mode", truth: false, languages: [.ruby]),
        Setting(name: "SSL_verify_mode", truth: false, languages: [.ruby]),
        Setting(name: "ssl_verifypeer", truth: false, languages: [.ruby, .lua, .unknown]),
        Setting(name: "ssl_verify_peer", truth: false, languages: [.ruby, .rust]),
        Setting(name: "ssl_verify_host", truth: false, ofHost: true, languages: [.rust]),
        Setting(name: "verify_ssl", truth: false, languages: [.ruby]),
        Setting(name: "verify_hostname", truth: false, ofHost: true, languages: [.ruby]),
        Setting(name: "verify_SSL", truth: false, languages: [.ruby]),
        Setting(name: "ssl_verify", truth: false, languages: [.ruby, .lua, .unknown]),
        // Lua-cURL.
        Setting(name: "setopt_ssl_verifypeer", truth: false, languages: [.lua]),
        Setting(name: "setopt_ssl_verifyhost", truth: false, ofHost: true, languages: [.lua]),
        Setting(name: "OPT_SSL_VERIFYPEER", truth: false, languages: [.lua]),
        Setting(name: "OPT_SSL_VERIFYHOST", truth: false, ofHost: true, languages: [.lua]),
        // WordPress, cpp-httplib, ureq, paho.
        Setting(name: "sslverify", truth: false, languages: [.php]),
        Setting(name: "enable_server_certificate_verification", truth: false, languages: [.objectiveC]),
        Setting(name: "disable_verification", truth: true, languages: [.rust]),
        Setting(name: "tls_insecure_set", truth: true, languages: [.python]),
        // Playwright, Puppeteer and Selenium; Vert.x and Unirest.
        Setting(name: "ignoreHTTPSErrors", truth: true, languages: [.script]),
        Setting(name: "acceptInsecureCerts", truth: true, languages: [.script]),
        Setting(name: "ignore_https_errors", truth: true, languages: [.python]),
        Setting(name: "setTrustAll", truth: true, languages: [.java, .kotlin]),
        Setting(name: "setVerifyHost", truth: false, ofHost: true, languages: [.java, .kotlin]),
        Setting(name: "verifySsl", truth: false, languages: [.java, .kotlin]),
        // Jsoup and JavaMail; MongoDB's drivers; httplib2; Julia's HTTP.
        Setting(name: "validateTLSCertificates", truth: false),
        Setting(
            name: "jdk.internal.httpclient.disableHostnameVerification",
            truth: true,
            ofHost: true,
            isFlag: true
        ),
        Setting(name: "mail.smtp.ssl.trust", truth: true),
        Setting(name: "mail.smtp.ssl.checkserveridentity", truth: false, ofHost: true),
        Setting(name: "ssl.endpoint.identification.algorithm", truth: false, ofHost: true),
        Setting(
            name: "SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG",
            truth: false,
            ofHost: true,
            languages: [.java, .kotlin]
        ),
        Setting(name: "invalidHostNameAllowed", truth: true, ofHost: true),
        Setting(name: "tlsAllowInvalidCertificates", truth: true),
        Setting(name: "tlsAllowInvalidHostnames", truth: true, ofHost: true),
        Setting(name: "disable_ssl_certificate_validation", truth: true),
        Setting(name: "require_ssl_verification", truth: false),
        // cpr, the C++ REST SDK, ESP-IDF; Starscream and CocoaMQTT.
        Setting(name: "VerifySsl", truth: false, languages: [.objectiveC]),
        Setting(name: "set_validate_certificates", truth: false, languages: [.objectiveC]),
        Setting(name: "skip_cert_common_name_check", truth: true, ofHost: true, languages: [.objectiveC]),
        Setting(name: "allowSelfSigned", truth: true, languages: [.swift]),
        Setting(name: "validatedDN", truth: false, ofHost: true, languages: [.swift]),
        Setting(name: "allowUntrustCACertificate", truth: true, languages: [.swift]),
        Setting(
            name: "sec_protocol_options_set_peer_authentication_required",
            truth: false,
            isFunction: true
        ),
    ]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        // The options of a request with a pin of libcurl are told with the pin.
        let isCurl = reading.found.contains { $0.title == SourceReader.curlOptions.title }
        for index in code.tokens.indices {
            guard let name = number(at: index, code) ?? reading.settingName(at: index),
                let setting = settings.first(where: { setting in
                    setting.name == name
                        && (setting.languages.isEmpty || setting.languages.contains(code.language))
                })
            else { continue }
            guard
                !["case", "fn", "def", "fun", "func", "function", "sub"].contains(
                    code[index - 1]?.name ?? ""
                ),
                !(code.isMark("(", at: index + 1) && code.isDeclaration(index)),
                let value = setting.isFunction
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
                setting.isFlag && value.wholeText == "" ? .boolean(true) : value,
                of: name,
                at: index,
                bad: setting.truth,
                ofHost: setting.ofHost
            )
        }
    }

    /// Whether code sets an option of libcurl by its number.
    @Sendable static func holdsNumbers(_ code: SourceCode) -> Bool {
        code.tokens.indices.contains { number(at: $0, code) != nil }
    }

    /// The name of an option of libcurl that is given by its number: `curl_easy_setopt(c, 64, 0L)`.
    private static func number(at index: Int, _ code: SourceCode) -> String? {
        guard code.isMark(",", at: index - 1), code.isMark("(", at: index - 3),
            let setter = code[index - 4]?.lastName, setters.contains(setter)
        else { return nil }
        return code.tokens[index].name.flatMap { numbers[$0] }
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
