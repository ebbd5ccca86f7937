package import PinholeModel
package import PinholeTrust

/// The failure of a fetch: the error that an app on URLSession would see, and the check that failed.
package struct ClientFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error of Foundation.
    package let code: URLErrorCode
    /// Apple's Secure Transport number (`_kCFStreamErrorCodeKey`); `nil` if there is none.
    package let streamCode: Int?
    /// The check that failed in a few words, such as `chain` or `pin`.
    package let check: String
    /// The details: what was expected, what came and what to do.
    package let detail: String
    /// The policy's reason for a rejection; `nil` if no policy rejected.
    package let rejection: Rejection?
    /// The alert that the server sent; `nil` for none.
    package let alert: Alert?

    /// Creates a failure.
    package init(
        _ code: URLErrorCode,
        streamCode: Int? = nil,
        check: String,
        _ detail: String,
        rejection: Rejection? = nil,
        alert: Alert? = nil
    ) {
        self.code = code
        self.streamCode = streamCode
        self.check = check
        self.detail = detail
        self.rejection = rejection
        self.alert = alert
    }

    /// The number, the name and the detail.
    package var description: String { "\(code.domain) \(code.rawValue) \(code.name): \(detail)" }
}

extension ClientFailure {
    /// Creates the error that default handling makes of a rejection (docs/JUDGE.md#which-error).
    package init(evaluation rejection: Rejection) {
        let (code, stream): (URLErrorCode, Int) =
            switch rejection.reason {
            case .chain(.expired): (.serverCertificateHasBadDate, SecureTransportCode.expired)
            case .chain(.notYetValid): (.serverCertificateNotYetValid, SecureTransportCode.notYetValid)
            case .chain(.untrusted), .chain(.selfSigned):
                (.serverCertificateHasUnknownRoot, SecureTransportCode.unknownRoot)
            case .chain(.wrongName): (.serverCertificateUntrusted, SecureTransportCode.hostNameMismatch)
            case .chain(.malformed), .chain(.empty):
                (.serverCertificateUntrusted, SecureTransportCode.badCertificate)
            case .tooWeak: (.secureConnectionFailed, SecureTransportCode.fatalAlert)
            default: (.serverCertificateUntrusted, SecureTransportCode.invalidChain)
            }
        self.init(
            code,
            streamCode: stream,
            check: Self.check(of: rejection),
            rejection.detail,
            rejection: rejection
        )
    }

    /// A delegate gave the challenge up.
    package init(cancelled space: ProtectionSpace, because rejection: Rejection? = nil) {
        let what =
            "the delegate cancelled the \(space.authenticationMethod.shortName) challenge of \(space.host)"
        self.init(
            .cancelled,
            check: rejection.map(Self.check) ?? space.authenticationMethod.shortName,
            rejection.map { "\(what): \($0.detail)" } ?? what,
            rejection: rejection
        )
    }

    /// Returns the name of the check that a rejection is about.
    private static func check(of rejection: Rejection) -> String {
        switch rejection.reason {
        case .chain(.wrongName): "host"
        case .chain(.expired), .chain(.notYetValid): "dates"
        case .chain(.revoked), .chain(.revocationUnknown): "revocation"
        case .chain(.notLogged): "certificate transparency"
        case .chain: "chain"
        case .pinMismatch, .keyChanged: "pin"
        case .noPins, .contradictorySettings, .unsupportedKey: "policy settings"
        case .unknownHost: "policy's hosts"
        case .tooWeak: "strength"
        case .noneOf: "policy"
        }
    }
}
