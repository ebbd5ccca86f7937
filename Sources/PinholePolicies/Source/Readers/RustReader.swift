import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Verifiers of rustls, and modes of OpenSSL in Rust.
    static let rust = SourceReader(
        title: "Rust verifier",
        marks: [
            "ServerCertVerifier", "verify_server_cert", "set_certificate_verifier",
            "with_custom_certificate_verifier", "SslVerifyMode", "set_verify_callback", "verify_hostname",
            "tls_danger_accept_invalid_certs", "tls_danger_accept_invalid_hostnames",
        ],
        languages: [.rust]
    ) { reading in
        RustReader.read(&reading)
    }
}

private enum RustReader {
    /// The functions of a verifier; the last two check the signature of the handshake.
    private static let checks: Set = [
        "verify_server_cert", "verify_tls12_signature", "verify_tls13_signature",
    ]
    /// Calls by which a verifier hands the question to another one, or says that it passed.
    private static let verifiers: Set = ["set_certificate_verifier", "with_custom_certificate_verifier"]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        var isDecided = false
        for name in checks.sorted() {
            for function in SourceFunction.named(name, in: code) {
                let place = function.place ?? 0
                guard code[place - 1]?.name == "fn" else { continue }
                switch answer(function.body, code) {
                case .accepts:
                    isDecided = true
                    reading.acceptsEverything(at: place, by: name)
                case .refuses: isDecided = true
                // A signature is checked by the functions of rustls, which take part in no pin.
                case .undecided where name != "verify_server_cert": break
                case .undecided:
                    isDecided = true
                    reading.undecided(at: place, by: name)
                }
            }
        }
        for index in reading.places(of: verifiers) where !isDecided {
            reading.undecided(at: index, by: code.tokens[index].lastName ?? "")
        }
        readModes(&reading)
    }

    /// A body accepts if each of its results is an assertion, and no other call can refuse.
    private static func answer(_ body: Range<Int>, _ code: SourceCode) -> SourceAnswer {
        let tokens = code.tokens[body]
        let asserts = tokens.contains { $0.lastName == "assertion" }
        let errs = tokens.contains { $0.lastName == "Err" || $0.name == "Err" }
        let branches = tokens.contains {
            ["if", "match", "for", "while"].contains($0.name ?? "") || $0.isMark("?")
        }
        if branches { return .undecided }
        if errs { return asserts ? .undecided : .refuses }
        guard asserts else { return .undecided }
        // `Ok(ServerCertVerified::assertion())` alone; macros such as `debug!` only write.
        let harmless: Set = [
            "Ok", "assertion", "unwrap_or", "Self", "format", "println", "debug", "warn", "info",
        ]
        let calls = body.filter { code.tokens[$0].name != nil && code.isMark("(", at: $0 + 1) }
        let isPlain = calls.allSatisfy { harmless.contains(code.tokens[$0].lastName ?? "") }
        return isPlain ? .accepts : .undecided
    }

    /// `set_verify(SslVerifyMode::NONE)` and `verify_hostname(false)` of OpenSSL, `tls_danger_…` of reqwest.
    private static func readModes(_ reading: inout SourceReading) {
        let code = reading.code
        for index in reading.places(of: ["set_verify", "set_verify_callback"])
        where code.isMark("(", at: index + 1) {
            let range = (index + 2)..<max(index + 2, code.end(of: index + 1))
            let isOff = code.tokens[range].contains {
                $0.lastName == "NONE" || $0.lastName == "SSL_VERIFY_NONE"
            }
            let name = code.tokens[index].lastName ?? ""
            if isOff {
                reading.acceptsEverything(at: index, by: "\(name)(NONE)")
            } else if name == "set_verify_callback" {
                reading.undecided(at: index, by: name)
            }
        }
        let switches = [
            ("verify_hostname", false, true), ("tls_danger_accept_invalid_certs", true, false),
            ("tls_danger_accept_invalid_hostnames", true, true),
        ]
        for (name, bad, isOfHost) in switches {
            for index in reading.places(of: [name]) where code.isMark("(", at: index + 1) {
                guard let value = reading.settingValue(behind: index) else { continue }
                guard let truth = value.truth else {
                    if code[index - 1]?.name != "fn" { reading.undecided(at: index, by: name) }
                    continue
                }
                guard truth == bad else { continue }
                if isOfHost {
                    reading.ignoresHost(at: index, by: name)
                } else {
                    reading.acceptsEverything(at: index, by: name)
                }
            }
        }
    }
}
